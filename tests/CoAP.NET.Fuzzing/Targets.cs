using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;

namespace CoAP.Fuzzing;

/// <summary>Everything that is tried.</summary>
internal static class Targets
{
    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new DatagramTarget(), new StreamTarget(), new OptionTarget(), new UriTarget(), new LinkTarget(), new ProblemTarget(), new StoreTarget(),
    ];

    public static FuzzTarget Of(string name) => All.Single(target => target.Name == name);
}
