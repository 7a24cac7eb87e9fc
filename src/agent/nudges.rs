//! What the runtime says to the model in the user's place. None of it stays in the history once an answer is accepted.

/// On the last turn.
pub(super) const LAST_TURN: &str = "No more tools can be called: this is the last turn. Answer the question now with what the tools have returned so \
far, and cite the page of every claim. If that does not contain the answer, begin with <not-found/> and say where you looked.";

/// After an empty reply.
pub(super) const EMPTY: &str =
    "Your reply was empty. Answer the question above, or call a tool if you still need to read something.";

/// After an answer without any citation.
pub(super) const CITE: &str = "Your answer cites no page. Give the whole answer again and put a citation after every claim, in the form \
<cite doc=\"DOCUMENT NAME\" page=\"PAGE\">exact words from that page</cite>, using only pages that the tools returned; read the page first if you have \
not. If the documents do not say it, begin with <not-found/> instead.";

/// Closes a question that was left without an answer, so that the next one does not follow it directly.
pub(super) const NO_ANSWER: &str = "(This question was left without an answer.)";

/// After a text that only says what will be done.
pub(super) const GO_ON: &str = "You said what you are going to do, but called no tool, so nothing happened. Call the tool now; or, if you have \
what you need, give the answer.";

/// After a call that was written as text and names no tool that is here.
pub(super) const NO_SUCH_CALL: &str = "You wrote a tool call as text, and there is no such tool here, so nothing happened. Call one of the tools that \
you have; or, if you have what you need, give the answer in words.";
