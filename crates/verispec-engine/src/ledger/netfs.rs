//! Whether a path lies on a network file system, where SQLite's WAL is not safe.

use std::path::Path;

/// File system types that are shared between machines, as Linux names them.
const NETWORK: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "lustre",
    "gpfs",
    "beegfs",
    "ceph",
    "afs",
    "ocfs2",
    "gfs2",
    "orangefs",
    "pvfs2",
    "panfs",
    "glusterfs",
    "wekafs",
    "virtiofs",
    "vboxsf",
];

/// Whether this existing path lies on a network file system. `false` where it cannot be told.
#[must_use]
pub fn on_network(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else {
        return false;
    };
    std::fs::read_to_string("/proc/self/mounts")
        .ok()
        .and_then(|mounts| fs_type(&mounts, &path))
        .is_some_and(|kind| is_network(&kind))
}

fn is_network(kind: &str) -> bool {
    // User-space file systems are named `fuse.KIND`; nearly all of them are remote.
    NETWORK.contains(&kind) || kind.starts_with("fuse.")
}

/// Type of the file system that holds `path`: the longest mount point above it, the last one
/// mounted if there are several.
fn fs_type(mounts: &str, path: &Path) -> Option<String> {
    let mut best: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let mut fields = line.split(' ');
        let (Some(_), Some(point), Some(kind)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let point = unescape(point);
        let point = Path::new(&point);
        let depth = point.components().count();
        if path.starts_with(point) && best.is_none_or(|(d, _)| depth >= d) {
            best = Some((depth, kind));
        }
    }
    best.map(|(_, kind)| kind.to_owned())
}

/// The kernel writes blanks in mount points as octal escapes.
fn unescape(field: &str) -> String {
    field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "/dev/sda1 / ext4 rw 0 0\n\
        server:/home /home nfs4 rw 0 0\n\
        tmpfs /home/me/fast tmpfs rw 0 0\n\
        host:/x /mnt/my\\040share fuse.sshfs rw 0 0\n";

    #[test]
    fn the_longest_mount_point_decides() {
        let kind = |p: &str| fs_type(MOUNTS, Path::new(p)).unwrap();
        assert_eq!(kind("/var/run1"), "ext4");
        assert_eq!(kind("/home/me/runs"), "nfs4");
        assert_eq!(kind("/home/me/fast/runs"), "tmpfs");
        assert_eq!(kind("/homework"), "ext4");
        assert_eq!(kind("/mnt/my share/runs"), "fuse.sshfs");
    }

    #[test]
    fn network_kinds() {
        assert!(is_network("nfs4") && is_network("fuse.sshfs") && is_network("lustre"));
        assert!(!is_network("ext4") && !is_network("tmpfs") && !is_network("overlay"));
    }
}
