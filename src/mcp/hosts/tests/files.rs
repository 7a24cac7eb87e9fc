//! Writing: backups, permissions, links, and files that are left alone.

use std::path::{Path, PathBuf};

use super::entry;
use crate::mcp::hosts::{Host, Outcome, write};

struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn with(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(self.dir.path()).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_missing_or_empty_file_is_created_with_its_folders() {
    let folder = Folder::new();
    for host in Host::ALL {
        let path = folder.path(&format!("{}/deep/settings", host.id()));
        assert_eq!(write(host, &path, &entry(host)).unwrap(), Outcome::Created);
        assert_eq!(text(&path), host.block(&entry(host)));
        assert_eq!(write(host, &path, &entry(host)).unwrap(), Outcome::Same);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no litter, no backup");
    }
    let empty = folder.with("empty.json", "\u{feff}  \r\n");
    assert_eq!(write(Host::Cursor, &empty, &entry(Host::Cursor)).unwrap(), Outcome::Created);
    assert!(text(&empty).starts_with("\u{feff}{"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::new();
    let path = folder.path("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    for path in [&path, &folder.dir.path().to_owned()] {
        let error = write(Host::Cursor, path, &entry(Host::Cursor)).unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
    }
    assert!(std::fs::metadata(&path).unwrap().file_type().is_socket());
    assert_eq!(folder.names(), ["socket"]);
}

#[test]
fn what_was_there_is_kept_beside_it_and_never_overwritten() {
    let folder = Folder::new();
    let first = "\u{feff}{\n  \"mcpServers\": {}\n}\n";
    let path = folder.with("mcp.json", first);
    let backup = folder.dir.path().canonicalize().unwrap().join("mcp.json.pagewise-backup");
    assert_eq!(
        write(Host::Cursor, &path, &entry(Host::Cursor)).unwrap(),
        Outcome::Added { backup: folder.path("mcp.json.pagewise-backup") }
    );
    assert_eq!(text(&backup), first);
    let second = text(&path);
    assert!(second.starts_with("\u{feff}{\n  \"mcpServers\": {\n    \"pagewise\""), "{second}");

    assert_eq!(write(Host::Cursor, &path, &entry(Host::Cursor)).unwrap(), Outcome::Same);
    assert_eq!(folder.names(), ["mcp.json", "mcp.json.pagewise-backup"]);

    let mut other = entry(Host::Cursor);
    other.command = "/elsewhere/pagewise".to_owned();
    let backup = folder.path("mcp.json.pagewise-backup-2");
    assert_eq!(write(Host::Cursor, &path, &other).unwrap(), Outcome::Replaced { backup: backup.clone() });
    assert_eq!(text(&backup), second);
    assert_eq!(folder.names(), ["mcp.json", "mcp.json.pagewise-backup", "mcp.json.pagewise-backup-2"]);
}

#[test]
fn a_file_that_is_not_understood_is_left_alone() {
    let folder = Folder::new();
    for (name, bytes) in [
        ("comment.json", &b"{ // mine\n}"[..]),
        ("half.json", b"{\"mcpServers\": {"),
        ("latin1.json", b"{\"a\": \"\xe4\"}"),
        ("utf16.json", b"\xff\xfe{\0}\0"),
    ] {
        let path = folder.with(name, bytes);
        let error = write(Host::ClaudeCode, &path, &entry(Host::ClaudeCode)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{} was left as it is: ", path.display())), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(folder.names().len(), 4, "no backups: {:?}", folder.names());
    assert!(write(Host::Zed, folder.dir.path(), &entry(Host::Zed)).is_err(), "a folder is no file");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_kept_and_a_backup_is_no_more_open() {
        let folder = Folder::new();
        for wanted in [0o600, 0o640, 0o664] {
            let path = folder.with(&format!("{wanted:o}.json"), "{\"a\": 1}");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(wanted)).unwrap();
            let Outcome::Added { backup } = write(Host::ClaudeCode, &path, &entry(Host::ClaudeCode)).unwrap() else { panic!() };
            assert_eq!((mode(&path), mode(&backup)), (wanted, wanted));
        }
        let path = folder.with("locked.json", "{\"a\": 1}");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
        assert!(write(Host::ClaudeCode, &path, &entry(Host::ClaudeCode)).unwrap_err().to_string().contains("read-only"));
    }

    #[test]
    fn links_are_followed_and_stay() {
        let folder = Folder::new();
        std::fs::create_dir(folder.path("dotfiles")).unwrap();
        let real = folder.with("dotfiles/zed.json", "{\"a\": 1}");
        symlink("dotfiles/zed.json", folder.path("one.json")).unwrap();
        symlink(folder.path("one.json"), folder.path("two.json")).unwrap();
        write(Host::Zed, &folder.path("two.json"), &entry(Host::Zed)).unwrap();
        assert!(folder.path("two.json").is_symlink() && folder.path("one.json").is_symlink());
        assert!(text(&real).contains("pagewise"));

        symlink("dotfiles/new.json", folder.path("dangling.json")).unwrap();
        assert_eq!(write(Host::Zed, &folder.path("dangling.json"), &entry(Host::Zed)).unwrap(), Outcome::Created);
        assert!(folder.path("dangling.json").is_symlink() && folder.path("dotfiles/new.json").is_file());

        symlink("round.json", folder.path("round.json")).unwrap();
        assert!(write(Host::Zed, &folder.path("round.json"), &entry(Host::Zed)).unwrap_err().to_string().contains("circle"));
    }
}
