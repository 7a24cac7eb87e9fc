//! Replies that the runtime gives in a tool's place.

use serde::Serialize;

#[derive(Serialize)]
struct Failure<'a> {
    error: &'a str,
    #[serde(rename = "errorCode")]
    error_code: &'static str,
    next_steps: NextSteps<'a>,
}

#[derive(Serialize)]
struct Pointer<'a> {
    success: bool,
    repeated: bool,
    next_steps: NextSteps<'a>,
}

#[derive(Serialize)]
struct NextSteps<'a> {
    summary: &'a str,
    options: &'a [&'a str],
}

fn json(envelope: &impl Serialize) -> String {
    // These types have no maps with odd keys and no numbers: they always serialise.
    serde_json::to_string(envelope).unwrap_or_default()
}

fn failure(error: &str, summary: &str, options: &[&str]) -> String {
    json(&Failure { error, error_code: "INTERNAL_ERROR", next_steps: NextSteps { summary, options } })
}

/// The run was stopped before the call was done.
pub(super) fn interrupted() -> String {
    failure("interrupted", "The call was interrupted before it was done.", &["Call the tool again if its result is still needed."])
}

/// The time of the run was over before the call was done.
pub(super) fn out_of_time() -> String {
    failure("time limit reached", "The time of this run was over before the call was done.", &["Answer with what was read so far."])
}

/// The run has no calls left.
pub(super) fn over_limit() -> String {
    failure("limit reached", "No more tools can be called in this run.", &["Answer now with what was read so far."])
}

/// A person said no.
pub(super) fn not_allowed() -> String {
    failure(
        "not allowed",
        "The user was asked and did not allow this call; nothing was changed.",
        &["Do not call it again; go on without it."],
    )
}

/// Nobody is there to be asked.
pub(super) fn nobody_to_ask() -> String {
    failure(
        "not allowed",
        "This call needs a person's yes, and there is no one to ask here; nothing was changed.",
        &["Do not call it again; tell the user that it has to be done in an interactive session."],
    )
}

/// The same call was made before, and its result still stands in the conversation.
pub(super) fn repeated() -> String {
    json(&Pointer {
        success: true,
        repeated: true,
        next_steps: NextSteps {
            summary: "This same call was made before; its full result stands above in this conversation.",
            options: &["Use that result.", "Call with other arguments to read something else."],
        },
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn envelopes_keep_the_order_of_the_contract() {
        insta::assert_snapshot!(super::nobody_to_ask(), @r#"{"error":"not allowed","errorCode":"INTERNAL_ERROR","next_steps":{"summary":"This call needs a person's yes, and there is no one to ask here; nothing was changed.","options":["Do not call it again; tell the user that it has to be done in an interactive session."]}}"#);
        insta::assert_snapshot!(super::repeated(), @r#"{"success":true,"repeated":true,"next_steps":{"summary":"This same call was made before; its full result stands above in this conversation.","options":["Use that result.","Call with other arguments to read something else."]}}"#);
    }
}
