using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>How connections are run.</summary>
/// <param name="Lanes">The lanes that connections without a thread share.</param>
/// <param name="HasThread">Whether such a lane has a thread of its own instead of turns on the thread pool.</param>
/// <param name="RunsHandlers">Whether a connection with a thread runs its handlers there.</param>
internal readonly record struct StreamLaneForm(int Lanes, bool HasThread, bool RunsHandlers)
{
    /// <summary>Whether plain connections are watched by the thread of their lane, instead of by the runtime's socket engine.</summary>
    public bool IsPolled { get; private init; }

    /// <summary>The form of a client. Its sockets are connected by the runtime's engine, which goes on watching them.</summary>
    public static StreamLaneForm Client => new(1, HasThread: false, RunsHandlers: false);

    /// <summary>Returns the form of a server whose lanes wait by themselves, if the platform can poll.</summary>
    public StreamLaneForm Polled(LaneForm lanes) => this with { IsPolled = EpollCalls.IsSupported && lanes == LaneForm.Thread };
}
