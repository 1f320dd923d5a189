using System.Net.WebSockets;
using CoAP.Accounting;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Fuzzing.Parsers;

/// <summary>The messages of a WebSocket as bytes of a stream, in agreement with an oracle (RFC 8323, section 4.2). Each step is what one read returns.</summary>
internal sealed class WebSocketTarget() : FuzzTarget("websocket")
{
    private const int MaxSize = 2000;
    private const int MaxReads = 10_000;

    // What the library hands on for a message that ends within its header: a CSM that ends within its option.
    private static readonly byte[] CutOff = [0x10, 0xE1, 0x01];

    private readonly byte[] _buffer = new byte[16 << 10];

    public override IReadOnlyList<byte[]> Dictionary { get; } =
    [
        .. Words.Messages,
        .. new[] { "82 82 00000000 00 01", "02 82 00000000 00 01", "80 81 00000000 ff", "82 80 00000000", "89 80 00000000", "8a 80 00000000", "88 82 00000000 03e8", "82 fe 07d1 00000000",
            "82 ff 0000000000000100 00000000", "82 ff ffffffffffffffff", "81 81 00000000 41", "82 84 12345678" }.Select(Hex.Bytes),
    ];

    public override void Run(FuzzInput input, Trace trace)
    {
        using var ledger = new CoapServerSettings().CreateLedger(new CoapServerSettings().CreateLog());
        var messages = WebSocketOracle.Read(input.Joined(), MaxSize);
        trace.AddSize("messages", messages.Count);
        foreach (var message in messages) { trace.AddSize("length", message.Length); }
        var expected = messages.SelectMany(Framed).ToArray();
        var read = Read(input, ledger, trace);
        trace.AddSize("read", read.Length);
        FuzzFailure.ThrowIf(!read.AsSpan().SequenceEqual(expected), $"the library reads {Hex.Text(read)}, the oracle {Hex.Text(expected)}");
        var held = ledger.Books.Where(one => one.Book.Used != 0).Select(one => $"{one.Book.Used} {one.Resource}");
        FuzzFailure.ThrowIf(held.Any(), $"the WebSocket that was disposed of holds {string.Join(", ", held)}");
    }

    private byte[] Read(FuzzInput input, Ledger ledger, Trace trace)
    {
        var limits = new WebSocketLimits(MaxSize, TimeSpan.FromMinutes(1), new ManualClock(), ledger);
        using var inner = new SteppedStream(input.Steps);
        var stream = new CoalescingStream(inner);
        using var cut = new WebSocketMessageStream(
            WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true }), limits, limits.ChargeOf(PeerIdentity.From("peer"), credentials: null), stream);
        var read = new List<byte>();
        try
        {
            for (var reads = 0; ; reads++)
            {
                FuzzFailure.ThrowIf(reads > MaxReads, "the reader does not come to an end");
                // As a connection does: wait with an empty buffer, then read what is there.
                Complete(cut.ReadAsync(Memory<byte>.Empty));
                var count = Complete(cut.ReadAsync(_buffer));
                if (count == 0) { break; }
                read.AddRange(_buffer.AsSpan(0, count));
            }
            trace.AddText("closed", cut.CloseReason);
        }
        catch (IOException failure) { trace.AddText("failure", failure.Message); }
        return [.. read];
    }

    private static int Complete(ValueTask<int> read)
    {
        FuzzFailure.ThrowIf(!read.IsCompleted, "a read waits, although the stream under it never does");
        return read.GetAwaiter().GetResult();
    }

    // Over TCP, the Len field and its extension hold the length of options and payload (RFC 8323, section 3.2). Here the field is 0.
    private static byte[] Framed(byte[] message)
    {
        if (message.Length < 2) { return CutOff; }
        var nibble = message[0] & 15;
        var extended = nibble is 13 or 14 ? nibble - 12 : 0;
        if (nibble == 15) { return [(byte)nibble, .. message[1..]]; }
        if (message.Length < 2 + extended) { return CutOff; }
        var token = extended == 0 ? nibble : extended == 1 ? message[2] + 13 : (message[2] << 8) + message[3] + 269;
        var body = message.Length - 2 - extended - token;
        return body switch
        {
            < 0 => CutOff,
            < 13 => [(byte)((body << 4) | nibble), .. message[1..]],
            < 269 => [(byte)(0xD0 | nibble), (byte)(body - 13), .. message[1..]],
            _ => [(byte)(0xE0 | nibble), (byte)((body - 269) >> 8), (byte)(body - 269), .. message[1..]],
        };
    }
}
