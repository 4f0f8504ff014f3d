use super::*;

/// Whether tiles cover an image and stay inside it.
fn covered(width: u32, height: u32) -> usize {
    let all = tiles(width, height);
    let inside = |x: u32, y: u32| {
        all.iter().any(|([left, top], [w, h])| {
            (*left..left + w).contains(&x) && (*top..top + h).contains(&y)
        })
    };
    for ([x, y], [w, h]) in &all {
        assert!(x + w <= width && y + h <= height, "{width} x {height}");
    }
    for x in [0, width / 3, width / 2, width - 1] {
        for y in [0, height / 3, height / 2, height - 1] {
            assert!(
                all.is_empty() || inside(x, y),
                "{width} x {height}: {x}, {y}"
            );
        }
    }
    all.len()
}

#[test]
fn tiles_cover_the_image() {
    assert_eq!(covered(300, 200), 0);
    assert_eq!(covered(512, 512), 4);
    assert_eq!(covered(741, 500), 4);
    assert_eq!(covered(900, 300), 4);
    assert_eq!(covered(300, 640), 3);
    assert_eq!(covered(5000, 1), 8);
    assert_eq!(covered(301, 301), 4);
}

#[test]
fn a_letterbox_keeps_proportions_and_places() {
    let image = RgbImage::from_pixel(600, 300, Rgb([255, 0, 0]));
    let frame = Frame::of(&image);
    let at = |c: usize, y: usize, x: usize| frame.input[[0, c, y, x]];
    assert!((at(0, 150, 0) - 1.0).abs() < 1e-6 && (at(1, 150, 299) + 1.0).abs() < 1e-6);
    assert!(at(0, 20, 150).abs() < 0.01, "grey above");
    let all = Rect {
        left: 0.0,
        top: 0.0,
        right: 1.0,
        bottom: 1.0,
    };
    let place = frame.place(all).unwrap();
    let whole = [place.left, place.top, place.right, place.bottom];
    assert_eq!(whole, [0.0, 0.0, 600.0, 300.0]);
    let half = Rect {
        left: 0.25,
        top: 0.25,
        right: 0.5,
        bottom: 0.5,
    };
    let place = frame.place(half).unwrap();
    let part = [place.left, place.top, place.right, place.bottom];
    assert_eq!(part, [150.0, 0.0, 300.0, 150.0], "cut at the upper border");
    let above = Rect {
        bottom: 0.2,
        ..half
    };
    assert_eq!(frame.place(Rect { top: 0.1, ..above }), None);
}

/// The network, where it is installed.
fn installed() -> Option<Detector> {
    let dir = std::env::var_os("VERISPEC_MODELS").map(std::path::PathBuf::from);
    let dir = dir.filter(|d| crate::detector_installed(d));
    if dir.is_none() {
        eprintln!("skipped: no detector of objects in VERISPEC_MODELS");
    }
    dir.map(|dir| Detector::load(&dir).unwrap())
}

/// The numbers are those that onnxruntime 1.32 gave for this input on a conversion of the same
/// weights by another program.
#[test]
fn the_converted_network_gives_what_another_runtime_gives() {
    let Some(detector) = installed() else { return };
    let input = NdTensor::from_fn([1, 3, SIDE, SIDE], |[_, c, y, x]| {
        ((c * 7 + y * 3 + x * 5) % 17) as f32 / 8.0 - 1.0
    });
    let (offsets, logits) = detector.run(&input).unwrap();
    for (row, code, scores) in [
        (
            0,
            [-1.354, -1.0073, -7.2651, -7.3496],
            [3.6952, -7.1065, -7.3074, -10.3924],
        ),
        (
            1000,
            [0.427, 0.61, -0.937, 1.445],
            [4.4383, -6.6348, -10.1749, -10.8749],
        ),
        (
            1500,
            [0.4098, -1.4396, 0.0896, -2.8637],
            [4.8869, -9.8699, -10.2036, -11.9442],
        ),
        (
            1800,
            [0.8215, -1.0809, 0.8569, -1.3705],
            [3.8693, -7.1679, -6.7254, -8.8144],
        ),
        (
            1900,
            [-0.9015, 2.2971, -0.0887, -1.1261],
            [3.7198, -6.7899, -10.2527, -11.6593],
        ),
        (
            1916,
            [-0.0041, 0.0698, -0.076, 0.0731],
            [-3.0982, -6.5194, -10.2606, -10.5219],
        ),
    ] {
        let near = |a: f32, b: f32| (a - b).abs() < 0.002;
        for (i, want) in code.into_iter().enumerate() {
            let found = offsets[[0, row, i]];
            assert!(
                near(found, want),
                "offset {row}, {i}: {found}, expected {want}"
            );
        }
        for (class, want) in [0, 1, 47, 90].into_iter().zip(scores) {
            let found = logits[[0, row, class]];
            assert!(
                near(found, want),
                "logit {row}, {class}: {found}, expected {want}"
            );
        }
    }
}

#[test]
fn an_image_of_a_few_pixels_runs() {
    let Some(detector) = installed() else { return };
    for (w, h) in [(1, 1), (1, 301)] {
        let image = RgbImage::from_pixel(w, h, Rgb([90, 120, 30]));
        let found = detector.look(&image).unwrap();
        assert!(found.iter().all(|t| (TRACE..=1.0).contains(&t.score)));
    }
}
