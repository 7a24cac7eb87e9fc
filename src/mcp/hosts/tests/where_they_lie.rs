use std::ffi::OsString;
use std::path::Path;

use crate::mcp::hosts::{Host, Os, Places};

fn files(places: &Places) -> String {
    Host::ALL.iter().map(|host| format!("{:<15}{}\n", host.id(), host.user_file(places).display())).collect()
}

#[cfg(unix)]
#[test]
fn the_file_of_each_host_on_each_system() {
    let home = Path::new("/home/me");
    let mut all = String::new();
    for os in [Os::Linux, Os::MacOs, Os::Windows] {
        all += &format!("--- {os:?}\n{}", files(&Places::resolve(os, home, |_| None)));
        let set = Places::resolve(os, home, |name| Some(OsString::from(format!("/set/{name}"))));
        all += &format!("--- {os:?}, variables set\n{}", files(&set));
    }
    insta::assert_snapshot!(all);
    // A relative folder is none.
    assert_eq!(Places::resolve(Os::Linux, home, |_| Some("here".into())), Places::resolve(Os::Linux, home, |_| None));
}

#[test]
fn a_packaged_claude_desktop_has_a_folder_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let roaming = home.path().join("AppData/Local/Packages/Claude_abc123/LocalCache/Roaming");
    std::fs::create_dir_all(&roaming).unwrap();
    let at = |os| Host::ClaudeDesktop.user_file(&Places::resolve(os, home.path(), |_| None));
    assert_eq!(at(Os::Windows), roaming.join("Claude").join("claude_desktop_config.json"));
    assert!(at(Os::Linux).starts_with(home.path().join(".config")));
}

#[test]
fn projects() {
    let folder = Path::new("project");
    let all: String = Host::ALL
        .iter()
        .map(|host| match host.project_file(folder) {
            Some(file) => format!("{:<15}{}\n", host.id(), file.display().to_string().replace('\\', "/")),
            None => format!("{:<15}none\n", host.id()),
        })
        .collect();
    insta::assert_snapshot!(all);
}
