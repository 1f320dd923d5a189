using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Machines;
using CoAP.Fuzzing.Parsers;
using CoAP.Fuzzing.Payloads;

namespace CoAP.Fuzzing;

/// <summary>Everything that is tried.</summary>
internal static class Targets
{
    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new DatagramTarget(), new StreamTarget(), new OptionTarget(), new UriTarget(), new LinkTarget(), new ProblemTarget(), new StoreTarget(), new WebSocketTarget(),
        new SignalingTarget(),
        new ServerTarget("server-matching"), new ServerTarget("server-blocks", isStreamed: true), new ServerTarget("server-robust"), new ServerTarget("server-observing"),
        new ServerTarget("server-group", isGroup: true),
        new ClientTarget("client-matching"), new ClientTarget("client-blocks"), new ClientTarget("client-robust"), new ClientTarget("client-observing"), new RestoredTarget(),
        new StreamServerTarget(), new StreamClientTarget(), new DtlsRecordTarget(), new DtlsServerTarget(), .. PayloadTargets.All,
    ];

    public static FuzzTarget Of(string name) => All.Single(target => target.Name == name);
}
