//! The pagewise program: a thin shell over the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pagewise::cli::main()
}
