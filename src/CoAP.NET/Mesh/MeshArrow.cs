using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP;

/// <summary>An arrow of the mesh at which blocks of the user's own can be linked in.</summary>
/// <typeparam name="T">What flows along it.</typeparam>
public sealed class MeshArrow<T>
{
    internal MeshArrow(string name, Func<T, T> keep, Action<LaneContext, T>? settle = null) =>
        (Name, Keep, Settle) = (name, keep, settle ?? (static (_, _) => { }));

    /// <summary>The arrow's name, for log lines.</summary>
    public string Name { get; }

    /// <summary>Makes a copy of an item that outlives the call it came with.</summary>
    internal Func<T, T> Keep { get; }

    /// <summary>Ends, on the lane, the wait for an item that was dropped.</summary>
    internal Action<LaneContext, T> Settle { get; }
}

/// <summary>The arrows, in the order in which a request and its response pass them.</summary>
public static class MeshArrow
{
    /// <summary>From the transport: bytes, before anything is known about them.</summary>
    public static MeshArrow<Frame> FramesIn { get; } = new("frames in", static frame => frame.Keep());

    /// <summary>From the deserializer: every well-formed message, duplicates included.</summary>
    public static MeshArrow<ReceivedMessage> MessagesIn { get; } = new("messages in", static message => message.Keep());

    /// <summary>From the handlers of the protocol: requests that are new and understood.</summary>
    public static MeshArrow<ReceivedRequest> Requests { get; } = new("requests", static request => request, Dropped.Settle);

    /// <summary>From the resources: responses to requests.</summary>
    public static MeshArrow<Answer> Answers { get; } = new("answers", static answer => answer, static (lane, answer) => Dropped.Settle(lane, answer));

    /// <summary>In a client: responses to requests of which nothing was kept, see <see cref="StatelessExtensions.SendStatelessAsync"/> (RFC 8974, section 3).</summary>
    public static MeshArrow<StatelessResponse> StatelessResponses { get; } = new("stateless responses", static response => response);

    /// <summary>To the serializer: every message that is sent, retransmissions included.</summary>
    public static MeshArrow<OutgoingMessage> MessagesOut { get; } = new("messages out", static message => message, static (lane, message) => Dropped.Settle(lane, message));

    /// <summary>To the transport: bytes.</summary>
    public static MeshArrow<Frame> FramesOut { get; } = new("frames out", static frame => frame.Keep());
}
