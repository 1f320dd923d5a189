using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The turns of an open connection, and the charge for the responses that its peer has not read.</summary>
internal sealed class ChannelTurn(StreamLane lane, StreamChannel channel, IStreamConnection connection, StreamInput input, StreamOutput output)
    : StreamPlace(lane.Turns, lane.AccountOf(channel.Peer, channel.Credentials))
{
    // What is sent at the end of the turn is not charged.
    private const int MostUncharged = 64 << 10;

    // Small messages to a peer that reads need no further look.
    private const int LeastRoom = 4 << 10;

    private readonly long _mostUnsent = Math.Min(LeastRoom, lane.Stream.MaxUnsentSize);
    private long _charged;

    public override void RunTurn()
    {
        connection.RaiseEvents();
        input.Continue();
        if (output.Unsent > 0 && !output.IsArmed) { channel.Flush(); }
    }

    /// <summary>Counts the work for a message, and sends the collected ones if the message does not fit. Returns <see langword="false"/> if the connection is closed.</summary>
    public bool TryMakeRoom(in Frame frame)
    {
        var unsent = output.UnsentResponses;
        if (frame.Large is null && unsent <= _mostUnsent && frame.Bytes.Length < LeastRoom) { return true; }
        if (!frame.IsRequest && frame.Bytes.Length + (frame.Large?.Payload.Length ?? 0) >= LeastRoom && unsent > lane.Stream.MaxUnsentSize)
        {
            CloseUnread(unsent);
            return false;
        }
        Turns.Charge(messages: 0, frame.Bytes.Length + (frame.Large?.Payload.Length ?? 0));
        if (frame.Large is null && output.IsFullWith(frame.Bytes.Length)) { channel.Flush(); }
        if (unsent - _charged > MostUncharged) { Charge(); }
        return !channel.IsClosed;
    }

    /// <summary>Whether a response may be sent. If not, an error takes its place: it is small, and requests that are answered are not lost.</summary>
    public bool MaySend(CoapResponse response) =>
        output.UnsentResponses <= lane.Stream.MaxUnsentSize || response.Payload.Length + response.Options.Wire.Length < LeastRoom / 2;

    /// <summary>Charges the account with the unsent responses.</summary>
    public void Charge()
    {
        var change = output.UnsentResponses - _charged;
        if (change == 0) { return; }
        ChargeUnsent(change);
        _charged += change;
    }

    /// <summary>Returns the number of bytes to read: <paramref name="size"/>, or fewer if the account has no room for bytes that are read ahead.</summary>
    /// <param name="size">The size of the buffer.</param>
    /// <param name="least">The number of bytes for which there is room in any case.</param>
    public int WithinRoom(int size, long least) => lane.Ledger.Input.Book.HasRoom(Owner, size) ? size : (int)Math.Min(size, least);

    /// <summary>Ends the turns of a closed connection.</summary>
    public void Leave()
    {
        Charge();
        Turns.Leave(Account);
    }

    private void CloseUnread(long unsent) => channel.Close(
        $"the peer has not read {unsent} bytes of responses; at most {lane.Stream.MaxUnsentSize} are allowed (StreamSettings.MaxUnsentSize)");

    protected override void OnRoom() => input.ResumeIfRoom();
}
