//! Cutting requests into files that are neither too many requests nor too many bytes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use verispec_media::Base64Chunks;
use verispec_providers::{Frame, Segment};

/// Limits of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most requests.
    pub requests: usize,
    /// Most bytes.
    pub bytes: u64,
}

impl Default for Limits {
    /// 50,000 requests and 200 MB, OpenAI's limits and below those of the others.
    fn default() -> Self {
        Self {
            requests: 50_000,
            bytes: 200_000_000,
        }
    }
}

/// Where files go.
pub trait Sink {
    /// Starts the file of this number, from 1.
    ///
    /// # Errors
    /// It cannot be started.
    fn start(&mut self, number: usize) -> io::Result<()>;

    /// Appends to the file that was started.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&mut self, segment: &Segment) -> io::Result<()>;

    /// Ends the file that was started; it is whole now.
    ///
    /// # Errors
    /// It cannot be finished.
    fn end(&mut self) -> io::Result<()>;
}

/// One file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFile {
    /// Its number, from 1.
    pub number: usize,
    /// Requests.
    pub requests: usize,
    /// Bytes.
    pub bytes: u64,
}

/// Spreads requests over files.
#[derive(Debug)]
pub struct Cutter<S> {
    sink: S,
    frame: Frame,
    limits: Limits,
    files: Vec<BatchFile>,
    open: bool,
}

impl<S: Sink> Cutter<S> {
    /// Nothing is written before the first request.
    pub const fn new(sink: S, frame: Frame, limits: Limits) -> Self {
        Self {
            sink,
            frame,
            limits,
            files: vec![],
            open: false,
        }
    }

    /// Appends a request, in a new file if it does not fit into the present one. Returns the
    /// number of its file, or `None` if it alone is larger than a file may be.
    ///
    /// # Errors
    /// The sink's.
    pub fn add(&mut self, request: &[Segment]) -> io::Result<Option<usize>> {
        let own: u64 = request.iter().map(|s| s.wire_len() as u64).sum();
        let (head, tail) = (self.frame.head.len() as u64, self.frame.tail.len() as u64);
        if head + own + tail > self.limits.bytes || self.limits.requests == 0 {
            return Ok(None);
        }
        let between = self.frame.between.len() as u64;
        let full = self.files.last().is_none_or(|file| {
            file.requests >= self.limits.requests
                || file.bytes + between + own + tail > self.limits.bytes
        });
        if full || !self.open {
            self.end()?;
            self.start()?;
        } else {
            self.raw(self.frame.between)?;
        }
        for segment in request {
            self.sink.write(segment)?;
        }
        Ok(self.files.last_mut().map(|file| {
            file.requests += 1;
            file.bytes += own;
            file.number
        }))
    }

    /// Ends the last file.
    ///
    /// # Errors
    /// The sink's.
    pub fn finish(mut self) -> io::Result<(S, Vec<BatchFile>)> {
        self.end()?;
        Ok((self.sink, self.files))
    }

    fn start(&mut self) -> io::Result<()> {
        let number = self.files.len() + 1;
        self.sink.start(number)?;
        self.files.push(BatchFile {
            number,
            requests: 0,
            bytes: 0,
        });
        self.open = true;
        self.raw(self.frame.head)
    }

    fn end(&mut self) -> io::Result<()> {
        if self.open {
            self.raw(self.frame.tail)?;
            self.sink.end()?;
            self.open = false;
        }
        Ok(())
    }

    fn raw(&mut self, text: &'static str) -> io::Result<()> {
        if let Some(file) = self.files.last_mut() {
            file.bytes += text.len() as u64;
        }
        self.sink
            .write(&Segment::Raw(Bytes::from_static(text.as_bytes())))
    }
}

/// Files in a folder. Each has its name only once it is whole.
#[derive(Debug)]
pub struct FileSink {
    dir: PathBuf,
    stem: String,
    extension: &'static str,
    open: Option<(PathBuf, BufWriter<File>)>,
}

impl FileSink {
    /// Files `STEM-0001.EXT` and so on in `dir`.
    #[must_use]
    pub fn new(dir: &Path, stem: &str, extension: &'static str) -> Self {
        Self {
            dir: dir.to_owned(),
            stem: stem.to_owned(),
            extension,
            open: None,
        }
    }

    /// Name of the file of this number.
    #[must_use]
    pub fn name(&self, number: usize) -> String {
        format!("{}-{number:04}.{}", self.stem, self.extension)
    }
}

impl Sink for FileSink {
    fn start(&mut self, number: usize) -> io::Result<()> {
        let path = self.dir.join(self.name(number));
        let file = File::create(part(&path))?;
        self.open = Some((path, BufWriter::with_capacity(1 << 20, file)));
        Ok(())
    }

    fn write(&mut self, segment: &Segment) -> io::Result<()> {
        let Some((_, file)) = &mut self.open else {
            return Err(io::Error::other("no file was started"));
        };
        match segment {
            Segment::Raw(bytes) => file.write_all(bytes),
            Segment::Base64(bytes) => {
                Base64Chunks::new(bytes.clone()).try_for_each(|piece| file.write_all(&piece))
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        let Some((path, file)) = self.open.take() else {
            return Ok(());
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(part(&path), path)
    }
}

fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts instead of writing.
    #[derive(Default)]
    struct Counter {
        files: Vec<u64>,
        ended: usize,
    }

    impl Sink for Counter {
        fn start(&mut self, _: usize) -> io::Result<()> {
            self.files.push(0);
            Ok(())
        }

        fn write(&mut self, segment: &Segment) -> io::Result<()> {
            *self.files.last_mut().unwrap() += segment.wire_len() as u64;
            Ok(())
        }

        fn end(&mut self) -> io::Result<()> {
            self.ended += 1;
            Ok(())
        }
    }

    fn raw(text: &'static str) -> Segment {
        Segment::Raw(Bytes::from_static(text.as_bytes()))
    }

    fn cut(n: usize, request: &[Segment], limits: Limits) -> (Counter, Vec<BatchFile>) {
        let mut cutter = Cutter::new(Counter::default(), Frame::LINES, limits);
        for _ in 0..n {
            assert!(cutter.add(request).unwrap().is_some());
        }
        cutter.finish().unwrap()
    }

    #[test]
    fn d04_17604_requests_with_images_of_1_mb_are_cut_by_bytes() {
        let image = Bytes::from(vec![0_u8; 1_000_000]);
        let request = [
            raw("{\"custom_id\":\"…\",\"body\":{\"text\":\"Is it there?\",\"image\":\""),
            Segment::Base64(image),
            raw("\"}}"),
        ];
        let (sink, files) = cut(17_604, &request, Limits::default());
        assert_eq!(files.len(), 119);
        assert_eq!(files.iter().map(|f| f.requests).sum::<usize>(), 17_604);
        assert!(
            files
                .iter()
                .all(|f| f.bytes <= 200_000_000 && f.requests <= 50_000)
        );
        let counted: Vec<u64> = files.iter().map(|f| f.bytes).collect();
        assert_eq!(sink.files, counted);
        assert_eq!(sink.ended, 119);
    }

    #[test]
    fn d04_small_requests_are_cut_by_count() {
        let (_, files) = cut(120_000, &[raw("{}")], Limits::default());
        let requests: Vec<usize> = files.iter().map(|f| f.requests).collect();
        assert_eq!(requests, [50_000, 50_000, 20_000]);
    }

    #[test]
    fn a_file_may_be_filled_to_the_byte_and_one_request_may_be_too_large() {
        let limits = Limits {
            requests: 9,
            bytes: 11,
        };
        // Two of five with a line break between and after them: 12 bytes, one too many.
        assert_eq!(cut(4, &[raw("12345")], limits).1.len(), 4);
        let limits = Limits {
            bytes: 12,
            ..limits
        };
        assert_eq!(cut(4, &[raw("12345")], limits).1.len(), 2);
        let mut cutter = Cutter::new(Counter::default(), Frame::LINES, limits);
        assert_eq!(cutter.add(&[raw("123456789012")]).unwrap(), None);
        assert_eq!(cutter.finish().unwrap().1, []);
    }

    #[test]
    fn files_hold_the_requests_in_the_frame() {
        let dir = tempfile::tempdir().unwrap();
        let frame = Frame {
            head: "[",
            between: ",",
            tail: "]",
            extension: "json",
        };
        let limits = Limits {
            requests: 2,
            ..Limits::default()
        };
        let sink = FileSink::new(dir.path(), "w1", frame.extension);
        let mut cutter = Cutter::new(sink, frame, limits);
        for _ in 0..3 {
            let image = Segment::Base64(Bytes::from_static(b"foobar"));
            cutter.add(&[raw("\""), image, raw("\"")]).unwrap();
        }
        cutter.finish().unwrap();
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!(read("w1-0001.json"), r#"["Zm9vYmFy","Zm9vYmFy"]"#);
        assert_eq!(read("w1-0002.json"), r#"["Zm9vYmFy"]"#);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
