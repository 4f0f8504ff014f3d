//! Tables, JSON documents and HTML pages of runs.
