using CoAP.Fuzzing.Engine;
using CoAP.Observing;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>The calls of the client under test.</summary>
internal sealed class Calls(Wire wire, LaneEnd client)
{
    private readonly List<Task<CoapResponse>> _calls = [];
    private readonly List<CoapObservation> _observations = [];

    public int Count => _calls.Count + _observations.Count;

    /// <summary>Begins the call that the first byte selects.</summary>
    public void Begin(byte[] which)
    {
        var selected = which.Length == 0 ? 0 : which[0] % 10;
        if (selected is 5 or 6) { Observe(selected == 6); }
        else { _calls.Add(client.Send(Request(selected))); }
    }

    /// <inheritdoc cref="Check(Trace)"/>
    public static void Check(Task<CoapResponse> call, string leftovers, Trace trace)
    {
        FuzzFailure.ThrowIf(!call.IsCompleted, $"a call has not ended; the client has {leftovers}");
        if (call.IsCompletedSuccessfully) { trace.Add("response", call.Result.Code.Value); }
        else if (call.Exception?.InnerException is { } failure && (failure is CoapException || IsTooLarge(failure))) { trace.AddText($"failure {failure.GetType().Name}", failure.Message); }
        else { throw new InvalidOperationException("A call ended with an error that is not documented.", call.Exception); }
    }

    // The Max-Message-Size of the peer may leave no room even for a block.
    private static bool IsTooLarge(Exception failure) =>
        failure is ArgumentException && failure.Message.Contains("cannot be sent, not even in blocks", StringComparison.Ordinal);

    public void LeaveObservations(Trace trace)
    {
        foreach (var observation in _observations)
        {
            trace.Add("observation", (long)observation.State);
            Read(observation.Context.Feed, trace);
            observation.Context.Connector.Leave(ObservationEnd.Canceled);
        }
    }

    /// <summary>Fails if a call has not ended, or ended with an exception that callers are not told of.</summary>
    public void Check(Trace trace)
    {
        foreach (var call in _calls) { Check(call, client.Leftovers, trace); }
        foreach (var observation in _observations)
        {
            FuzzFailure.ThrowIf(observation.State != ObservationState.Ended, $"an observation that was left is {observation.State}");
        }
    }

    // The reader of an observation is told of a failure that it does not recover from.
    private static void Read(ObservationFeed feed, Trace trace)
    {
        try
        {
            while (feed.Take(out _) is { } notification) { trace.Add("notification", notification.Response.Code.Value); }
        }
        catch (CoapException failure) { trace.AddText($"failure {failure.GetType().Name}", failure.Message); }
    }

    private void Observe(bool isFetch)
    {
        var request = isFetch ? new CoapRequest(RequestCode.Fetch, "/o") { Payload = new byte[3] } : new CoapRequest(RequestCode.Get, "/o");
        var observation = client.ChannelTo(wire.Server).BeginObserving(request);
        _observations.Add(observation);
    }

    /// <summary>The requests: 0 to 4 work on every transport.</summary>
    public static CoapRequest Request(int selected) => selected switch
    {
        0 => new CoapRequest(RequestCode.Get, "/x"),
        1 => new CoapRequest(RequestCode.Get, "/x") { IsConfirmable = false },
        2 => new CoapRequest(RequestCode.Put, "/x") { Payload = new byte[3000] },
        3 => new CoapRequest(RequestCode.Fetch, "/x") { Payload = new byte[1500], PreferredBlockSize = 64 },
        4 => new CoapRequest(RequestCode.Post, "/x") { Payload = new byte[40], PreferredBlockSize = 16 },
        7 => new CoapRequest(RequestCode.Put, "/x") { Payload = new byte[4000], RobustMode = RobustMode.WhenSupported, PreferredBlockSize = 256 },
        8 => new CoapRequest(RequestCode.Get, "/x") { RobustMode = RobustMode.WhenSupported },
        _ => new CoapRequest(RequestCode.Fetch, "/x") { Payload = new byte[2000], RobustMode = RobustMode.WhenSupported },
    };
}
