using System.Runtime.ExceptionServices;
using Polly;

namespace CoAP.Hosting;

/// <summary>Sends requests through a pipeline of Polly.</summary>
/// <remarks>
/// The pipeline sees the first answer: the response of a call, the first state of an observation, the first response of a group. A request
/// without an answer counts as a success.
/// </remarks>
/// <param name="pipeline">The pipeline.</param>
internal sealed class ResilienceStep(ResiliencePipeline<CoapResponse> pipeline) : IRequestStep
{
    private static readonly CoapResponse NoAnswer = new(ResponseCode.Valid);

    public string Name => "AddResilience";

    public async ValueTask<Answers> AskAsync(CoapRequest request, IRequestSender next, CancellationToken cancellationToken)
    {
        var context = ContextOf(request, cancellationToken);
        var call = new Call(next, request);
        try
        {
            var outcome = await pipeline.ExecuteAsync(
                static (context, call) => call.AttemptAsync(context.CancellationToken), context, call).ConfigureAwait(false);
            return call.AnswersWith(outcome);
        }
        finally
        {
            call.End();
            ResilienceContextPool.Shared.Return(context);
        }
    }

    public Answers Ask(CoapRequest request, IRequestSender next, CancellationToken cancellationToken)
    {
        var context = ContextOf(request, cancellationToken);
        var call = new Call(next, request);
        try { return call.AnswersWith(pipeline.Execute(static (context, call) => call.Attempt(context.CancellationToken), context, call)); }
        finally
        {
            call.End();
            ResilienceContextPool.Shared.Return(context);
        }
    }

    private static ResilienceContext ContextOf(CoapRequest request, CancellationToken cancellationToken)
    {
        var context = ResilienceContextPool.Shared.Get(cancellationToken);
        context.Properties.Set(CoapResilience.Request, request);
        return context;
    }

    /// <summary>
    /// The attempts of one request. An attempt that cannot send the request again ends as the one before it. A pipeline may make attempts at
    /// the same time.
    /// </summary>
    private sealed class Call(IRequestSender next, CoapRequest request)
    {
        private readonly Lock _gate = new();
        private readonly List<Answers> _answers = [];       // those that nobody has got
        private bool _isRetry, _isOver;
        private CoapResponse? _last;
        private ExceptionDispatchInfo? _failure;

        public async ValueTask<CoapResponse> AttemptAsync(CancellationToken cancellationToken)
        {
            if (Next() is not { } attempt) { return Last(); }
            try { return Keep(await next.AskAsync(attempt, cancellationToken).ConfigureAwait(false)); }
            catch (Exception exception)
            {
                Keep(exception);
                throw;
            }
        }

        public CoapResponse Attempt(CancellationToken cancellationToken)
        {
            if (Next() is not { } attempt) { return Last(); }
            try { return Keep(next.Ask(attempt, cancellationToken)); }
            catch (Exception exception)
            {
                Keep(exception);
                throw;
            }
        }

        /// <summary>Returns the answers of the attempt that the pipeline has chosen, or the response of a strategy, such as a fallback.</summary>
        public Answers AnswersWith(CoapResponse outcome)
        {
            lock (_gate)
            {
                var chosen = _answers.FindLast(answers => ReferenceEquals(outcome, answers.First ?? NoAnswer));
                if (chosen is null) { return Answers.Of(outcome); }
                _answers.Remove(chosen);
                return chosen;
            }
        }

        /// <summary>Ends the answers that nobody gets, also those of attempts that are still under way.</summary>
        public void End()
        {
            List<Answers> left;
            lock (_gate) { (_isOver, left) = (true, [.. _answers]); }
            foreach (var answers in left) { answers.Dispose(); }
        }

        // What came back before was not good enough for the pipeline.
        private CoapRequest? Next()
        {
            CoapRequest? attempt;
            List<Answers> former = [];
            lock (_gate)
            {
                attempt = _isRetry ? request.TryRepeat() : request;
                _isRetry = true;
                if (attempt is not null)
                {
                    former.AddRange(_answers);
                    _answers.Clear();
                }
            }
            foreach (var answers in former) { answers.Dispose(); }
            return attempt;
        }

        private CoapResponse Last()
        {
            lock (_gate)
            {
                _failure?.Throw();
                return _last!;
            }
        }

        private CoapResponse Keep(Answers answers)
        {
            var first = answers.First ?? NoAnswer;
            bool isLate;
            lock (_gate)
            {
                (_last, _failure, isLate) = (first, null, _isOver);
                if (!isLate) { _answers.Add(answers); }
            }
            if (isLate) { answers.Dispose(); }
            return first;
        }

        private void Keep(Exception failure)
        {
            lock (_gate) { _failure = ExceptionDispatchInfo.Capture(failure); }
        }
    }
}
