using System.Linq.Expressions;

namespace CoAP.Tests.Architecture.Limits;

/// <summary>Creates rows of the tables.</summary>
internal static class Row
{
    private static readonly CoapServerSettings ServerDefaults = new() { Multicast = new(), Dtls = new DtlsServerSettings() };
    private static readonly CoapClientSettings ClientDefaults = new();

    /// <summary>Creates the row of a limit of a server.</summary>
    public static Limit Server(
        Expression<Func<CoapServerSettings, object?>> property, string unit, string bounds, string why, string reaction,
        string? metric = null, string? shared = null) =>
        new(property, ServerDefaults) { Unit = unit, Bounds = bounds, Why = why, Reaction = reaction, Metric = metric, Shared = shared };

    /// <summary>Creates the row of a limit of a client.</summary>
    public static Limit Client(
        Expression<Func<CoapClientSettings, object?>> property, string unit, string bounds, string why, string reaction, string? metric = null) =>
        new(property, ClientDefaults) { Unit = unit, Bounds = bounds, Why = why, Reaction = reaction, Metric = metric };

    /// <summary>Creates the row of a limit in settings that are not part of those of an endpoint.</summary>
    public static Limit Of<T>(Expression<Func<T, object?>> property, string unit, string bounds, string why, string reaction, string? metric = null)
        where T : new() => new(property, new T()) { Unit = unit, Bounds = bounds, Why = why, Reaction = reaction, Metric = metric };
}
