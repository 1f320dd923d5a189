using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Fuzzing.Engine;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>What holds for a lane whatever its peers have done, and after they have fallen silent.</summary>
internal static class IdleEnd
{
    /// <summary>Fails if anything is left in a book of the ledger.</summary>
    public static void CheckLedger(Ledger ledger)
    {
        var held = ledger.Books.Where(one => one.Book.Used != 0 || one.Book.Count != 0).Select(one => $"{one.Book.Used} {one.Resource} of {one.Book.Count} accounts");
        FuzzFailure.ThrowIf(held.Any(), $"the idle endpoint holds {string.Join(", ", held)}");
    }

    /// <summary>Lets simulated time pass until the lane is idle. Readers of streamed bodies run on other threads, which bring their work when they like.</summary>
    public static void Quieten(Wire wire, TimeSpan silence, ExchangeLane lane, Func<bool> isIdle, Action awaitWork)
    {
        wire.RunFor(silence);
        for (var rounds = 0; rounds < 20 && (!isIdle() || !IsEmpty(lane.Ledger)); rounds++)
        {
            if (lane.PendingRequests > 0 && !lane.HasInboxWork) { awaitWork(); }
            wire.RunFor(silence);
        }
    }

    private static bool IsEmpty(Ledger ledger) => ledger.Books.All(one => one.Book.Used == 0);

    /// <summary>Fails if something threw that is no failure of a peer or of a body.</summary>
    public static void CheckLog(TestLog log)
    {
        log.ThrowIfFaulted();
        var fault = log.Exceptions.FirstOrDefault(one => one is not (CoapException or OperationCanceledException or IOException));
        if (fault is not null) { throw new InvalidOperationException("Something failed within the endpoint.", fault); }
    }

    /// <summary>Every counter of the lane tells of a way through the code.</summary>
    public static void TraceCounters(ExchangeLane lane, Trace trace)
    {
        var values = lane.Metrics.Values;
        for (var place = 0; place < values.Length; place++)
        {
            if (values[place] > 0) { trace.AddSize($"counter {place}", values[place]); }
        }
    }
}
