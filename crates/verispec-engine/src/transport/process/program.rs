//! One running program: threads that write, read and listen to its standard error.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// Longest reply line, in bytes.
const LONGEST_LINE: u64 = 64 << 20;

/// Lines of standard error that are kept to explain a crash.
const KEPT_LINES: usize = 5;

/// How long a program may take to end once its input is closed.
const GRACE: Duration = Duration::from_secs(2);

/// Why there is no reply line.
#[derive(Debug)]
pub(super) enum Ended {
    /// No line in time; the program was killed.
    TimedOut,
    /// The program ended, and what it last said.
    Crashed(String),
}

/// A line to write, and where the line that answers it goes; an error is a broken pipe.
type Task = (Vec<u8>, oneshot::Sender<std::io::Result<Vec<u8>>>);

/// A program that is ready for a request. Ends the program when dropped.
#[derive(Debug)]
pub(super) struct Program {
    tasks: Option<mpsc::Sender<Task>>,
    child: Child,
    said: Arc<Mutex<VecDeque<String>>>,
    busy: bool,
}

impl Program {
    /// Starts a program.
    pub(super) fn start(argv: &[String]) -> Result<Self, String> {
        let (name, arguments) = argv.split_first().ok_or("the command is empty")?;
        let mut command = Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C is for this program, which lets requests under way come to their end.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|e| format!("judge program {name:?} cannot be started: {e}"))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(format!("judge program {name:?} has no pipes"));
        };
        let (tasks, waiting) = mpsc::channel();
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let heard = Arc::clone(&said);
        // Threads of their own: a program that hangs must not hold up the end of the runtime.
        std::thread::spawn(move || converse(input, output, &waiting));
        std::thread::spawn(move || listen(errors, &heard));
        Ok(Self {
            tasks: Some(tasks),
            child,
            said,
            busy: false,
        })
    }

    /// Writes a line and waits for one. A program that does not answer is ended; dropping the
    /// future ends it as well.
    pub(super) async fn ask(
        mut self,
        line: Vec<u8>,
        timeout: Duration,
    ) -> Result<(Vec<u8>, Self), Ended> {
        let (answer, answered) = oneshot::channel();
        self.busy = true;
        let sent = self.tasks.as_ref().map(|t| t.send((line, answer)));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.crashed("it takes no more lines"));
        }
        match tokio::time::timeout(timeout, answered).await {
            Err(_) => Err(Ended::TimedOut),
            Ok(Ok(Ok(line))) => {
                self.busy = false;
                Ok((line, self))
            }
            Ok(Ok(Err(error))) => Err(self.crashed(&error.to_string())),
            Ok(Err(_)) => Err(self.crashed("it takes no more lines")),
        }
    }

    /// Says how the program ended, with the last lines of its standard error.
    fn crashed(mut self, what: &str) -> Ended {
        let status = self.end(GRACE);
        // The thread that listens may be a moment behind.
        std::thread::sleep(Duration::from_millis(20));
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<&str> = said.iter().map(String::as_str).collect();
        let status = status.map_or_else(|| "killed".to_owned(), |s| s.to_string());
        Ended::Crashed(if lines.is_empty() {
            format!("{what} ({status}, nothing on standard error)")
        } else {
            format!("{what} ({status}): {}", lines.join(" | "))
        })
    }

    /// Closes the program's input, waits for it to end and kills it if it does not.
    fn end(&mut self, grace: Duration) -> Option<std::process::ExitStatus> {
        self.tasks = None;
        let until = Instant::now() + grace;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let grace = if self.busy { Duration::ZERO } else { GRACE };
        self.end(grace);
    }
}

/// Answers tasks in order until the program or the tasks end.
fn converse(mut input: ChildStdin, output: ChildStdout, tasks: &mpsc::Receiver<Task>) {
    let mut output = BufReader::new(output);
    while let Ok((line, answer)) = tasks.recv() {
        let result = exchange(&mut input, &mut output, &line);
        let broken = result.is_err();
        let _ = answer.send(result);
        if broken {
            return;
        }
    }
}

fn exchange(
    input: &mut ChildStdin,
    output: &mut BufReader<ChildStdout>,
    line: &[u8],
) -> std::io::Result<Vec<u8>> {
    input.write_all(line)?;
    input.flush()?;
    loop {
        let mut answer = Vec::new();
        output.take(LONGEST_LINE).read_until(b'\n', &mut answer)?;
        if answer.last() != Some(&b'\n') {
            let cut = answer.len() as u64 >= LONGEST_LINE;
            let what = if cut {
                "its line is too long"
            } else {
                "it ended"
            };
            return Err(std::io::Error::new(std::io::ErrorKind::UnexpectedEof, what));
        }
        if !answer.trim_ascii().is_empty() {
            return Ok(answer);
        }
    }
}

/// Shows the program's standard error at `-v` and keeps its last lines.
fn listen(errors: ChildStderr, heard: &Mutex<VecDeque<String>>) {
    for line in BufReader::new(errors).split(b'\n') {
        let Ok(line) = line else { return };
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.is_empty() {
            continue;
        }
        tracing::info!("judge program: {line}");
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.len() == KEPT_LINES {
            heard.pop_front();
        }
        heard.push_back(line.chars().take(300).collect());
    }
}
