//! Paths found in data stay inside their folder.

use std::path::{Component, Path, PathBuf};

use crate::error::{MediaError, MediaErrorKind};

/// Joins a path found in data to the folder it must stay in.
///
/// The file need not exist; what exists of the way to it is resolved.
///
/// # Errors
/// An empty path or one without a name, NUL, an absolute path or drive, a `..`, backslashes (they
/// separate on Windows), and symbolic links that lead out of `root` or nowhere. The error's path
/// is `relative` as given.
pub fn safe_join(root: &Path, relative: &str) -> Result<PathBuf, MediaError> {
    let refuse = |why: &str| {
        let why = format!("{relative:?} {why}");
        MediaError::new(Path::new(relative), MediaErrorKind::UnsafePath(why))
    };
    lexical(relative).map_err(refuse)?;
    let joined = root.join(relative);
    if !passes_links(root, relative) {
        return Ok(joined);
    }
    // A root that does not exist holds no links.
    let Ok(real_root) = root.canonicalize() else {
        return Ok(joined);
    };
    let existing = joined
        .ancestors()
        .find(|path| path.symlink_metadata().is_ok());
    if let Some(path) = existing.filter(|path| path.starts_with(root)) {
        let real = path
            .canonicalize()
            .map_err(|_| refuse("is a link that leads nowhere"))?;
        if !real.starts_with(&real_root) {
            return Err(refuse("is a link that leads out of its folder"));
        }
    }
    Ok(joined)
}

/// Whether a symbolic link lies on the way. Without one a path stays where its names say, and
/// resolving it costs a look at every folder from the top, for each of many thousand outputs.
fn passes_links(root: &Path, relative: &str) -> bool {
    let mut path = root.to_owned();
    for component in Path::new(relative).components() {
        path.push(component);
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}

fn lexical(relative: &str) -> Result<(), &'static str> {
    if relative.contains('\0') {
        return Err("holds a NUL character");
    }
    if relative.contains('\\') {
        return Err("holds a backslash");
    }
    let drive = relative.as_bytes();
    if drive.len() >= 2 && drive[1] == b':' && drive[0].is_ascii_alphabetic() {
        return Err("names a drive");
    }
    let mut has_name = false;
    for component in Path::new(relative).components() {
        match component {
            Component::Normal(_) => has_name = true,
            Component::CurDir => {}
            Component::ParentDir => return Err("leads out of its folder by `..`"),
            Component::RootDir | Component::Prefix(_) => return Err("is absolute"),
        }
    }
    if has_name {
        Ok(())
    } else {
        Err("names no file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e09_paths_that_leave_the_folder_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let bad = [
            "",
            ".",
            "./",
            "..",
            "../x.png",
            "a/../../x.png",
            "a/../x.png",
            "/etc/passwd",
            "x\0.png",
            "..\\x.png",
            "C:x.png",
            "c:/x.png",
            "\\\\host\\x.png",
        ];
        for path in bad {
            let error = safe_join(root, path).unwrap_err();
            assert!(
                matches!(error.kind, MediaErrorKind::UnsafePath(_)),
                "{path:?}: {error}"
            );
        }
        for path in ["x.png", "./x.png", "a/b/图 1.png", "a..b.png", "..x"] {
            assert_eq!(safe_join(root, path).unwrap(), root.join(path));
        }
    }

    #[cfg(unix)]
    #[test]
    fn e09_links_may_stay_inside_but_not_lead_out() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("outputs");
        std::fs::create_dir_all(root.join("real")).unwrap();
        std::fs::write(root.join("real/x.png"), b"x").unwrap();
        std::fs::write(dir.path().join("secret.png"), b"s").unwrap();
        symlink(root.join("real"), root.join("inside")).unwrap();
        symlink("../secret.png", root.join("secret.png")).unwrap();
        symlink(dir.path(), root.join("up")).unwrap();
        symlink("nowhere", root.join("dangling.png")).unwrap();
        assert!(safe_join(&root, "inside/x.png").is_ok());
        assert!(safe_join(&root, "inside/new.png").is_ok());
        for path in [
            "secret.png",
            "up/secret.png",
            "up/not-yet.png",
            "dangling.png",
        ] {
            assert!(safe_join(&root, path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_root_that_is_a_link_itself_is_fine() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("store")).unwrap();
        std::fs::write(dir.path().join("store/x.png"), b"x").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(dir.path().join("store"), dir.path().join("link")).unwrap();
        #[cfg(unix)]
        assert!(safe_join(&dir.path().join("link"), "x.png").is_ok());
        assert!(safe_join(&dir.path().join("absent"), "x.png").is_ok());
    }
}
