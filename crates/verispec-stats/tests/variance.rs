//! Components of variance against an analysis of variance and by simulation.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, reference};
use verispec_stats::{
    Undefined,
    random::Stream,
    variance::{Crossed, variance_components},
};

#[test]
fn statsmodels() {
    for row in reference()["variance"].as_array().unwrap() {
        let values = numbers(&row["values"]);
        let size = |k: usize| count(&row["sizes"][k]);
        let design = Crossed {
            values: &values,
            objects: size(0),
            instances: size(1),
            conditions: size(2),
        };
        let found = variance_components(design).unwrap();
        for (component, name) in [
            (found.object, "object"),
            (found.instance, "instance"),
            (found.condition, "condition"),
            (found.object_instance, "object_instance"),
            (found.object_condition, "object_condition"),
            (found.instance_condition, "instance_condition"),
            (found.residual, "residual"),
        ] {
            close(component, number(&row[name]), name);
        }
    }
}

/// Additive values have no interaction at all, and the components are plain variances.
#[test]
fn additive_values() {
    let (a, b, c) = ([1.0, 2.0, 6.0], [0.0, 0.5, 1.0, 3.0], [0.0, 4.0]);
    let values: Vec<f64> = (0..24)
        .map(|k| a[k / 8] + b[k / 2 % 4] + c[k % 2])
        .collect();
    let design = Crossed {
        values: &values,
        objects: 3,
        instances: 4,
        conditions: 2,
    };
    let found = variance_components(design).unwrap();
    close(found.object, 7.0, "variance of 1, 2, 6");
    close(found.condition, 8.0, "variance of 0, 4");
    for nothing in [
        found.object_instance,
        found.object_condition,
        found.residual,
    ] {
        close(nothing, 0.0, "interaction");
    }
    close(found.reliability(4, 2).unwrap(), 1.0, "reliability");
    let level = Crossed {
        values: &[3.0; 24],
        objects: 3,
        instances: 4,
        conditions: 2,
    };
    let level = variance_components(level).unwrap();
    assert_eq!(
        level.reliability(4, 2).unwrap_err(),
        Undefined::Constant {
            input: "the values"
        }
    );
}

/// Components come out right on average: 1 for objects, 4 for what judges favour, 0 for conditions.
#[test]
fn unbiased() {
    let mut stream = Stream::new(12, 0);
    // Variance 1: a uniform number is 1 / 12.
    let mut draw = move || (stream.unit() - 0.5) * 12.0_f64.sqrt();
    let runs = 400;
    let (mut object, mut favour, mut condition) = (0.0, 0.0, 0.0);
    for _ in 0..runs {
        let own: Vec<f64> = (0..6).map(|_| draw()).collect();
        let favours: Vec<f64> = (0..6 * 3).map(|_| 2.0 * draw()).collect();
        let values: Vec<f64> = (0..6 * 10 * 3)
            .map(|k| own[k / 30] + favours[k / 30 * 3 + k % 3] + draw())
            .collect();
        let design = Crossed {
            values: &values,
            objects: 6,
            instances: 10,
            conditions: 3,
        };
        let found = variance_components(design).unwrap();
        object += found.object / f64::from(runs);
        favour += found.object_condition / f64::from(runs);
        condition += found.condition / f64::from(runs);
    }
    assert!((object - 1.0).abs() < 0.3, "{object}");
    assert!((favour - 4.0).abs() < 0.3, "{favour}");
    assert!(condition.abs() < 0.15, "{condition}");
}

#[test]
fn what_has_no_value_says_why() {
    let design = Crossed {
        values: &[1.0, 2.0, 3.0, 4.0],
        objects: 2,
        instances: 2,
        conditions: 1,
    };
    assert_eq!(
        variance_components(design).unwrap_err(),
        Undefined::TooFew {
            what: "conditions",
            found: 1,
            need: 2
        }
    );
    let design = Crossed {
        values: &[1.0; 7],
        objects: 2,
        instances: 2,
        conditions: 2,
    };
    assert!(variance_components(design).unwrap_err().is_misuse());
}
