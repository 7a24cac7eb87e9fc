//! Models and servers that fail, in part or altogether.

use super::*;

#[tokio::test]
async fn what_is_finished_is_not_asked_for_again() {
    let first =
        Scripted::new(|number, kind, input| if number > 3 { Err(failure(AdviceFault::Fatal)) } else { Ok(sane(kind, input)) });
    let halt = run(&small(), &first).await.unwrap_err();
    assert_eq!((halt.message.as_str(), halt.progress.asked, first.kept().len()), ("it failed", 3, 3));
    let second = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let enriched = enrich(&small(), &second, &second, first.kept(), &quick(), &|_| {}).await.unwrap();
    assert_eq!((enriched.progress.reused, enriched.progress.asked), (3, 3));
    let repeated = second.asked("summary").into_iter().filter(|input| first.asked("summary")[..3].contains(input)).count();
    assert_eq!(repeated, 0);
    // The same tree as in one go; improving the improved one asks for the same again.
    let whole = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let at_once = run(&small(), &whole).await.unwrap();
    assert_eq!(at_once.tree, enriched.tree);
    let improved = Source { tree: at_once.tree, ..small() };
    let again = enrich(&improved, &whole, &whole, whole.kept(), &quick(), &|_| {}).await.unwrap();
    assert_eq!((again.progress.asked, again.tree), (0, enriched.tree));
}

#[tokio::test]
async fn replies_of_no_use_leave_what_was_there() {
    let scripted = Scripted::new(|_, kind, input| {
        Ok(if input.contains("Section: Three") { "I cannot help with that.".to_owned() } else { sane(kind, input) })
    });
    let enriched = run(&small(), &scripted).await.unwrap();
    assert_eq!(scripted.asked("summary").iter().filter(|input| input.contains("Section: Three")).count(), 3, "tried a few times");
    assert_eq!(enriched.tree[2].summary.as_deref(), Some("As found about three."));
    assert_eq!(enriched.progress.missed, 1);
    assert!(enriched.why_missed.unwrap().contains("not what was asked for"));
    // A summary that only repeats the title is none.
    let parrot = Scripted::new(|_, kind, input| {
        Ok(if input.contains("Section: Two at the end") {
            json!({"summary": "Two, at the end."}).to_string()
        } else {
            sane(kind, input)
        })
    });
    assert_eq!(run(&small(), &parrot).await.unwrap().tree[1].nodes[1].summary.as_deref(), Some("As found about two at the end."));
}

#[tokio::test]
async fn a_model_that_gives_nothing_of_use_is_given_up() {
    let texts = (0..40).map(|at| format!("Chapter {at}\n{}", body("it", 12))).collect();
    let tree = (0..40).map(|at| node(&format!("Chapter {at}"), (at + 1, at + 1), vec![])).collect();
    let scripted = Scripted::new(|_, _, _| Ok("No.".to_owned()));
    let halt = run(&source(texts, tree), &scripted).await.unwrap_err();
    assert!(halt.message.contains("not what was asked for, for 5 sections in a row"), "{halt}");
    assert!(scripted.asked("summary").len() <= 3 * (5 + 4));
}

#[tokio::test]
async fn refused_sections_are_left_and_a_server_that_refuses_all_is_given_up() {
    let refused = || Err(failure(AdviceFault::Refused));
    let some = Scripted::new(move |_, kind, input| if input.contains("Section: T") { refused() } else { Ok(sane(kind, input)) });
    let enriched = run(&small(), &some).await.unwrap();
    assert_eq!((enriched.progress.missed, enriched.why_missed.as_deref()), (4, Some("it failed")));
    let all = Scripted::new(move |_, _, _| refused());
    assert_eq!(run(&small(), &all).await.unwrap_err().message, "it failed");
    assert_eq!(all.asked("summary").len(), 3);
}

#[tokio::test]
async fn a_dead_key_costs_one_request_and_an_unreachable_server_two() {
    let dead = Scripted::new(|_, _, _| Err(failure(AdviceFault::Fatal)));
    let halt = run(&small(), &dead).await.unwrap_err();
    assert_eq!((dead.asked("summary").len(), halt.progress.asked, dead.kept().len()), (1, 0, 0));
    let away = Scripted::new(|_, _, _| Err(failure(AdviceFault::Unreachable)));
    run(&small(), &away).await.unwrap_err();
    assert_eq!(away.asked("summary").len(), 2);
    // A server that fails from the first on is not waited for as long as one that has answered before.
    let failing = |first_good: usize| {
        let passing = AdviceFault::Passing { wait: None };
        Scripted::new(move |number, kind, input| if number > first_good { Err(failure(passing)) } else { Ok(sane(kind, input)) })
    };
    let (from_first, later) = (failing(0), failing(1));
    run(&small(), &from_first).await.unwrap_err();
    run(&small(), &later).await.unwrap_err();
    assert_eq!(from_first.asked("summary").len(), 4);
    assert!(later.asked("summary").len() > 6);
}

#[tokio::test]
async fn failures_that_pass_are_waited_for_and_do_not_last_for_ever() {
    let wait = |ms| AdviceFault::Passing { wait: Some(Duration::from_millis(ms)) };
    let limited =
        Scripted::new(move |number, kind, input| if number % 3 == 0 { Err(failure(wait(20))) } else { Ok(sane(kind, input)) });
    let enriched = run(&small(), &limited).await.unwrap();
    assert_eq!(enriched.progress.missed, 0);
    assert_eq!(enriched.progress.spent.requests, limited.asked.lock().unwrap().len() as u64);
    let shut = Scripted::new(move |number, kind, input| if number > 2 { Err(failure(wait(1))) } else { Ok(sane(kind, input)) });
    run(&small(), &shut).await.unwrap_err();
    assert_eq!(shut.kept().len(), 2);
    // A wait beyond all patience ends the run at once.
    let patient = Scripted::new(move |_, _, _| Err(failure(wait(3_600_000))));
    run(&small(), &patient).await.unwrap_err();
    assert_eq!(patient.asked("summary").len(), 1);
}

#[tokio::test]
async fn a_model_with_a_small_window_gets_less() {
    let scripted = Scripted::new(
        |_, kind, input| {
            if tokens(input) > 300 { Err(failure(AdviceFault::TooLong)) } else { Ok(sane(kind, input)) }
        },
    );
    let options = EnrichOptions { call_tokens: 2_000, ..quick() };
    let enriched = enrich(&small(), &scripted, &scripted, HashMap::new(), &options, &|_| {}).await.unwrap();
    assert_eq!(enriched.progress.missed, 0);
}

#[tokio::test]
async fn no_more_requests_run_at_once_than_allowed() {
    struct Counting(std::sync::atomic::AtomicUsize, std::sync::atomic::AtomicUsize);
    #[async_trait]
    impl Advisor for Counting {
        fn name(&self) -> String {
            "counting".to_owned()
        }
        async fn advise(&self, request: AdviceRequest<'_>) -> Result<Advice, AdviceError> {
            use std::sync::atomic::Ordering::SeqCst;
            let now = self.0.fetch_add(1, SeqCst) + 1;
            self.1.fetch_max(now, SeqCst);
            tokio::time::sleep(Duration::from_millis(2)).await;
            self.0.fetch_sub(1, SeqCst);
            let kind = if request.instructions.contains("{\"summary\"") { "summary" } else { "description" };
            Ok(Advice { text: sane(kind, request.input), spent: Spent::default() })
        }
    }
    let texts = (0..30).map(|at| format!("Chapter {at}\n{}", body("it", 12))).collect();
    let tree = (0..30).map(|at| node(&format!("Chapter {at}"), (at + 1, at + 1), vec![])).collect();
    let keeper = Scripted::new(|_, _, _| Err(failure(AdviceFault::Fatal)));
    let counting = Counting(0.into(), 0.into());
    let options = EnrichOptions { jobs: 3, ..quick() };
    enrich(&source(texts, tree), &counting, &keeper, HashMap::new(), &options, &|_| {}).await.unwrap();
    assert_eq!(counting.1.into_inner(), 3);
}
