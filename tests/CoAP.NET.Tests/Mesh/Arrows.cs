using System.Reflection;

namespace CoAP.Tests.Mesh;

/// <summary>Makes links at arrows that carry different types.</summary>
internal interface ILinkMaker
{
    MeshLink Make<T>(MeshArrow<T> arrow);
}

/// <summary>All arrows of the mesh by the names of their properties.</summary>
internal static class Arrows
{
    /// <summary>The arrows that only connections have.</summary>
    public static IReadOnlyList<string> OfSignals { get; } = [nameof(MeshArrow.SignalFrames), nameof(MeshArrow.SignalsIn), nameof(MeshArrow.SignalsOut)];

    /// <summary>The arrows that requests of the endpoint pass before they are messages.</summary>
    public static IReadOnlyList<string> OfAskedRequests { get; } =
        [nameof(MeshArrow.AskedRequests), nameof(MeshArrow.AdmittedRequests), nameof(MeshArrow.EchoedRequests)];

    /// <summary>The arrows that only lanes of datagrams have, or that need a scenario of datagrams.</summary>
    public static IReadOnlyList<string> OfDatagrams { get; } =
    [
        nameof(MeshArrow.HandedOver), nameof(MeshArrow.ObserverRequests), nameof(MeshArrow.Reactions), nameof(MeshArrow.OwnRequests), nameof(MeshArrow.LateMessages),
        nameof(MeshArrow.Notifications), nameof(MeshArrow.RobustBlocks), nameof(MeshArrow.Replays), nameof(MeshArrow.StatelessResponses),
        .. OfAskedRequests, nameof(MeshArrow.MatchedResponses), nameof(MeshArrow.Responses),
    ];

    public static IReadOnlyList<string> All { get; } = [.. Properties().Select(property => property.Name)];

    public static MeshLink Link(string name, ILinkMaker maker)
    {
        var arrow = Properties().Single(property => property.Name == name).GetValue(null)!;
        var make = typeof(ILinkMaker).GetMethod(nameof(ILinkMaker.Make))!.MakeGenericMethod(arrow.GetType().GetGenericArguments());
        return (MeshLink)make.Invoke(maker, [arrow])!;
    }

    private static PropertyInfo[] Properties() => typeof(MeshArrow).GetProperties(BindingFlags.Static | BindingFlags.Public);
}
