using System.Globalization;
using Spectre.Console;

namespace CoAP.Tool.Tracing;

/// <summary>Prints each message of a client as it is sent or received, one line each.</summary>
/// <param name="console">Where the lines are printed.</param>
/// <param name="shown">Returns what is shown for a sent message; <see langword="null"/> to show messages as they are.</param>
internal sealed class MessageTrace(IAnsiConsole console, Func<CoapMessage, bool, CoapMessage>? shown = null)
{
    private readonly Lock _gate = new();
    private bool _hasEnded;

    /// <summary>The link for the settings of a client. It changes nothing.</summary>
    public MeshLink Link => MeshLink.Stages(lane =>
    {
        var isReliable = lane.IsReliable;
        lane.Insert(MeshArrow.MessagesOut, new TraceStage<OutgoingMessage>(item => Print("→", "teal", item.Key, shown?.Invoke(item.Message, isReliable) ?? item.Message, isReliable)));
        lane.Insert(MeshArrow.MessagesIn, new TraceStage<ReceivedMessage>(item => Print("←", "green", item.Key, item.Message, isReliable)));
        if (isReliable) { lane.Insert(MeshArrow.SignalsIn, new TraceStage<ReceivedMessage>(item => Print("←", "green", item.Key, item.Message, isReliable))); }
    });

    private void Print(string arrow, string color, in ChannelKey key, CoapMessage message, bool isReliable)
    {
        var time = DateTime.Now.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
        var peer = key.Peer.ToString();
        var text = MessageText.Of(message, isReliable);
        lock (_gate)
        {
            if (_hasEnded) { return; }
            try { console.MarkupLineInterpolated($"[grey]{time}[/] [{color}]{arrow}[/] {peer} {text}"); }
            // Nobody can read the trace any more. That must not end the call.
            catch (IOException) { _hasEnded = true; }
        }
    }
}
