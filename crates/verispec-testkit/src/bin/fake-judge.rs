//! The fake judge as a program. Prints its address on the first line, then serves until killed.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that talks to people"
)]

use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use verispec_testkit::{Answers, FakeConfig, FakeJudge, Fault, Latency};

const USAGE: &str = "usage: fake-judge [OPTION VALUE]...
  --port N              port on 127.0.0.1 (default: any free one)
  --answers RULE        yes | no | no-every:N | hash:SEED:SHARE_OF_YES (default: yes)
  --makes yes|no        make images and texts like a model under test (default: no)
  --latency MS|MS..MS   fixed, or uniform between two (default: 0)
  --seed N              seed of faults and latency
  --fault NAME=SHARE    probability of a fault; may be repeated
  --first N=NAME        fault of the first N requests
  --containing NAME=TEXT  fault of prompts with this text; may be repeated
  --attempts N          shares and texts apply to the first N arrivals of a body only
  --retry-after VALUE   header of 429 answers
  --limit N             429 while more than N requests are in flight
  --key KEY             answer 401 to any other key
  --threads N           worker threads (default: 1)
  --log FILE            append one JSON line per completed request
Addresses: /v1 (openai, openai-images), /v1beta (gemini), /api/v1/proxy/generate (gemini-dashscope), none
(anthropic, which adds /v1/messages); GET /log and GET /health.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match configure(&arguments) {
        Ok(config) => {
            let judge = FakeJudge::start(config);
            println!("{}", judge.url());
            judge.wait();
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn configure(arguments: &[String]) -> Result<FakeConfig, String> {
    let mut config = FakeConfig::default();
    for pair in arguments.chunks(2) {
        let [option, value] = pair else {
            return Err(format!("{} needs a value", pair[0]));
        };
        set(&mut config, option, value).map_err(|e| format!("{option} {value}: {e}"))?;
    }
    Ok(config)
}

fn set(config: &mut FakeConfig, option: &str, value: &str) -> Result<(), String> {
    let faults = &mut config.faults;
    match option {
        "--port" => config.port = number(value)?,
        "--answers" => config.answers = answers(value)?,
        "--makes" => config.makes = value == "yes",
        "--latency" => config.latency = latency(value)?,
        "--seed" => faults.seed = number(value)?,
        "--fault" => {
            let (name, share) = split(value, '=')?;
            faults.shares.push((Fault::from_str(name)?, number(share)?));
        }
        "--first" => {
            let (n, name) = split(value, '=')?;
            faults.first = Some((number(n)?, Fault::from_str(name)?));
        }
        "--containing" => {
            let (name, text) = split(value, '=')?;
            faults
                .containing
                .push((text.to_owned(), Fault::from_str(name)?));
        }
        "--attempts" => faults.attempts = Some(number(value)?),
        "--retry-after" => faults.retry_after = Some(value.to_owned()),
        "--limit" => faults.limit_in_flight = Some(number(value)?),
        "--key" => config.api_key = Some(value.to_owned()),
        "--threads" => config.threads = number(value)?,
        "--log" => config.log_file = Some(value.into()),
        _ => return Err("no such option".to_owned()),
    }
    Ok(())
}

fn number<T: FromStr>(text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|e: T::Err| e.to_string())
}

fn split(text: &str, at: char) -> Result<(&str, &str), String> {
    text.split_once(at)
        .ok_or_else(|| format!("expected a {at:?}"))
}

fn answers(rule: &str) -> Result<Answers, String> {
    match rule.split(':').collect::<Vec<_>>()[..] {
        ["yes"] => Ok(Answers::AllYes),
        ["no"] => Ok(Answers::AllNo),
        ["no-every", n] => Ok(Answers::NoEvery(number(n)?)),
        ["hash", seed, yes] => Ok(Answers::Hashed {
            seed: number(seed)?,
            yes: number(yes)?,
        }),
        _ => Err("no such rule".to_owned()),
    }
}

fn latency(text: &str) -> Result<Latency, String> {
    let wait = |text| number(text).map(Duration::from_millis);
    match text.split_once("..") {
        Some((from, to)) => Ok(Latency::Uniform(wait(from)?, wait(to)?)),
        None => Ok(Latency::Fixed(wait(text)?)),
    }
}
