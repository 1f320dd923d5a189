using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>How connections are run.</summary>
/// <param name="Lanes">The number of lanes that non-blocking connections share.</param>
/// <param name="HasThread">Whether a shared lane has its own thread. Otherwise it runs on the thread pool.</param>
/// <param name="RunsHandlers">Whether a blocking connection runs handlers on its thread.</param>
internal readonly record struct StreamLaneForm(int Lanes, bool HasThread, bool RunsHandlers)
{
    /// <summary>Whether the thread of the lane polls plain connections. Otherwise the runtime's socket engine does.</summary>
    public bool IsPolled { get; private init; }

    /// <summary>The form of a client. The runtime's socket engine connects its sockets, and must then also poll them.</summary>
    public static StreamLaneForm Client => new(1, HasThread: false, RunsHandlers: false);

    /// <summary>Returns the form of a server whose lanes poll their connections, if the platform supports it.</summary>
    public StreamLaneForm Polled(LaneForm lanes) => this with { IsPolled = LinuxCalls.IsSupported && lanes == LaneForm.Thread };
}
