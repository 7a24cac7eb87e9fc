//! `pagewise search`: pages by words, for people.

use serde_json::json;

use super::Context;
use super::args::SearchArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;

pub(crate) async fn run(context: &mut Context, args: SearchArgs) -> Result<ExitStatus, CliError> {
    let client = context.client()?;
    let scope = client.scope(&args.docs).await?;
    let pages = client.ranker()?.rank_pages(&scope, &args.query, args.limit).await?;
    if args.json {
        let all: Vec<_> = pages
            .iter()
            .map(|page| json!({"doc": page.name, "page": page.page, "score": page.score, "snippet": page.snippet}))
            .collect();
        context.printer.json(&all)?;
        return Ok(ExitStatus::Success);
    }
    if pages.is_empty() {
        context.printer.note("no page holds any of these words");
    }
    for page in pages {
        let head = context.printer.bold(&format!("{}, p. {}", harmless_name(&page.name), page.page));
        context.printer.raw(&format!("{head}\n"))?;
        context.printer.wrapped(&format!("    {}", harmless_name(page.snippet.trim())), 4)?;
    }
    Ok(ExitStatus::Success)
}
