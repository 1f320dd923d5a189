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

    /// <summary>The form of a server.</summary>
    public static StreamLaneForm Of(CoapServerSettings settings) => settings.Mode switch
    {
        ServerMode.Async => new(Environment.ProcessorCount, HasThread: false, RunsHandlers: false) { IsPolled = CanPoll(settings.LaneForm) },
        ServerMode.AsyncSingle => new(1, HasThread: true, RunsHandlers: false) { IsPolled = CanPoll(settings.LaneForm) },
        _ => new(1, HasThread: false, RunsHandlers: true),
    };

    private static bool CanPoll(LaneForm lanes) => EpollCalls.IsSupported && lanes == LaneForm.Thread;
}
