using System.Diagnostics.CodeAnalysis;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The turns of an open connection, and the charge for the responses that its peer has not read.</summary>
internal sealed class ChannelTurn(StreamLane lane, IStreamConnection connection, StreamInput input, StreamOutput output)
    : StreamPlace(lane.Turns, lane.AccountOf(connection.Peer, connection.Credentials))
{
    // What is sent at the end of the turn is not charged.
    private const int MostUncharged = 64 << 10;

    // Small messages to a peer that reads need no further look.
    private const int LeastRoom = 4 << 10;

    private readonly long _mostUnsent = Math.Min(LeastRoom, lane.Stream.MaxUnsentSize);
    private Queue<(LaneWork Work, int Bytes)>? _work;       // most connections have none
    private long _charged;

    public override void RunTurn()
    {
        RunWork(static turns => turns.IsOver);
        if (_work is { Count: > 0 }) { Add(); }
        input.RunTurn();
    }

    /// <summary>Adds work for the turns of the connection, such as an answer that its handler gave later.</summary>
    /// <param name="work">The work.</param>
    /// <param name="bytes">The bytes that it copies.</param>
    public void Add(LaneWork work, int bytes)
    {
        (_work ??= new()).Enqueue((work, bytes));
        Add();
    }

    /// <summary>Runs the work of the connection until there is none, or its turn is over.</summary>
    public void RunWork(Func<StreamTurns, bool> isOver)
    {
        while (_work is { Count: > 0 } && !isOver(Turns))
        {
            var (work, bytes) = _work.Dequeue();
            Turns.Charge(messages: 1, bytes);
            work.Run();
        }
    }

    /// <summary>Whether a message is small and its peer reads, so that there is room for it in any case.</summary>
    public bool HasRoomFor(in Frame frame) => frame.Large is null && output.UnsentResponses <= _mostUnsent && frame.Bytes.Length < LeastRoom;

    /// <summary>Whether the connection has to end, because the peer does not read, and a message is not small.</summary>
    /// <param name="frame">The message.</param>
    /// <param name="reason">The reason for the end.</param>
    public bool IsUnread(in Frame frame, [NotNullWhen(true)] out string? reason)
    {
        var unsent = output.UnsentResponses;
        reason = !frame.IsRequest && SizeOf(frame) >= LeastRoom && unsent > lane.Stream.MaxUnsentSize
            ? $"the peer has not read {unsent} bytes of responses; at most {lane.Stream.MaxUnsentSize} are allowed (StreamSettings.MaxUnsentSize)"
            : null;
        return reason is not null;
    }

    /// <summary>Counts the work for a message that is not small.</summary>
    public void CountWork(in Frame frame) => Turns.Charge(messages: 0, SizeOf(frame));

    /// <summary>Charges the account with the unsent responses if they are many. Otherwise, they are charged at the end of the turn.</summary>
    public void ChargeMany()
    {
        if (output.UnsentResponses - _charged > MostUncharged) { Charge(); }
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

    protected override void OnRoom() => input.OnRoom();

    private static int SizeOf(in Frame frame) => frame.Bytes.Length + (frame.Large?.Payload.Length ?? 0);
}
