using System.Diagnostics.Metrics;

namespace CoAP.Accounting;

/// <summary>The instruments of all ledgers of this process.</summary>
internal static class LedgerMetrics
{
    private static readonly Lock Gate = new();
    private static readonly HashSet<Ledger> Open = [];
    private static readonly Dictionary<string, long> RefusedBefore = [];       // by the endpoints that have ended

    public static void AddTo(Meter meter)
    {
        meter.CreateObservableUpDownCounter("coap.ledger.used", static () => Read(static book => book.Used), "{unit}", "The part of a limit that peers hold, by resource, in the unit of the resource: bytes or items.");
        meter.CreateObservableUpDownCounter("coap.ledger.limit", static () => Read(static book => book.Limit), "{unit}", "The limits, by resource, in the unit of the resource: bytes or items.");
        meter.CreateObservableUpDownCounter("coap.ledger.accounts", static () => Read(static book => book.Count), "{account}", "Accounts that hold a part of a limit, by resource.");
        meter.CreateObservableCounter("coap.ledger.refused", ReadRefused, "{charge}", "Charges refused because of a limit, by resource.");
    }

    /// <summary>Returns the sum of a value over all ledgers.</summary>
    public static long Sum(Func<Ledger, long> value)
    {
        lock (Gate) { return Open.Sum(value); }
    }

    public static void Add(Ledger ledger)
    {
        lock (Gate) { Open.Add(ledger); }
    }

    public static void Remove(Ledger ledger)
    {
        lock (Gate)
        {
            if (!Open.Remove(ledger)) { return; }
            foreach (var (resource, book) in ledger.Books) { RefusedBefore[resource] = RefusedBefore.GetValueOrDefault(resource) + book.Refused; }
        }
    }

    /// <summary>Returns the refused charges of all ledgers, by resource. A counter must not fall when an endpoint ends, so those of the past count, too.</summary>
    public static Dictionary<string, long> Refused()
    {
        lock (Gate)
        {
            var refused = new Dictionary<string, long>(RefusedBefore);
            foreach (var (resource, book) in Open.SelectMany(static ledger => ledger.Books)) { refused[resource] = refused.GetValueOrDefault(resource) + book.Refused; }
            return refused;
        }
    }

    private static List<Measurement<long>> ReadRefused() => [.. Refused().Select(static one => Measure(one.Key, one.Value))];

    private static Measurement<long> Measure(string resource, long value) => new(value, new KeyValuePair<string, object?>("coap.ledger.resource", resource));

    private static List<Measurement<long>> Read(Func<LedgerBook, long> value)
    {
        lock (Gate)
        {
            return [.. Open.SelectMany(static ledger => ledger.Books)
                .GroupBy(static one => one.Resource, one => value(one.Book))
                .Select(static group => Measure(group.Key, group.Sum()))];
        }
    }
}
