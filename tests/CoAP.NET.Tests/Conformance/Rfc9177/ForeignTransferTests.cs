using CoAP.Discovery;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>
/// Whole bodies between our server and a client that does what libcoap does, over a wire that loses a fifth of the datagrams each way: it requests
/// blocks only if it receives non-confirmable ones, and its confirmable blocks wait for acknowledgements.
/// </summary>
public sealed class ForeignTransferTests : IDisposable
{
    private const int Confirmable = 0, NonConfirmable = 1, Acknowledgement = 2;
    private const int Get = 1, Put = 3, SetSize = 10;

    private readonly Wire _wire = new(new ManualClock(), seed: 7) { Latency = TimeSpan.FromMilliseconds(20), Loss = 0.2 };
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private readonly SortedDictionary<int, byte[]> _blocks = [];
    private byte[] _body = [];
    private int _taken;
    private int _nextId;
    private bool _isLastKnown;

    public ForeignTransferTests()
    {
        // 13 transmissions, so that the loss of all of them is out of the question.
        _server = LaneEnd.Server(_wire, Map, new CoapServerSettings { Transmission = new() { MaxRetransmit = 12 }, MaxInlinePayload = int.MaxValue });
        _client = ScriptedPeer.Client(_wire);
    }

    public static TheoryData<int, int> Cases()
    {
        var cases = new TheoryData<int, int>();
        foreach (var size in (int[])[0, 1, 1024, 1025, 40_000, 200_000])
        {
            cases.Add(size, Confirmable);
            cases.Add(size, NonConfirmable);
        }
        return cases;
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    private void Map(ResourceMap resources)
    {
        WellKnownCore.MapOn(resources);
        resources.At("body")
            .Get(_ => new CoapResponse(ResponseCode.Content) { Payload = _body }, HandlerMode.Inline)
            .Put(request =>
            {
                _body = request.Payload.ToArray();
                return Response.Changed;
            }, HandlerMode.Inline);
    }

    [Theory]
    [MemberData(nameof(Cases))]
    [Trait("RFC", "9177 4.4")]
    public void A_client_like_libcoap_gets_a_body(int size, int type)
    {
        _body = Bytes(size);
        var isAnswered = false;
        for (var (quiet, turn) = (long.MaxValue >> 1, 0); turn < 20_000 && !(isAnswered && IsComplete); turn++, quiet++)
        {
            if (quiet > 100 && (type == NonConfirmable || !isAnswered))
            {
                if (_blocks.Count == 0) { Ask(type, [(0, true)]); }
                else { Ask(type, Missing()); }
                quiet = 0;
            }
            foreach (var message in Take())
            {
                (isAnswered, quiet) = (true, 0);
                if (Keep(message) && type == NonConfirmable && !IsComplete && FirstMissing() is var next && next % SetSize == 0 && _blocks.Keys.Last() < next)
                {
                    Ask(type, [(next, true)]);
                }
            }
        }

        isAnswered.Should().BeTrue();
        _blocks.Values.SelectMany(bytes => bytes).Should().Equal(_body);
        LeavesNothing();
    }

    [Theory]
    [InlineData(0), InlineData(1), InlineData(1024), InlineData(1025), InlineData(40_000), InlineData(200_000)]
    [Trait("RFC", "9177 4.3")]
    public void A_client_like_libcoap_puts_a_body_in_confirmable_blocks(int size)
    {
        var bytes = Bytes(size);
        var codes = new List<int>();
        var count = CountOf(size);
        for (var number = 0; number < count; number++)
        {
            var message = Part(Confirmable, bytes, number);
            for (var turn = 0; !Take().Any(one => one.Id == _nextId && Note(one, codes)); turn++)
            {
                turn.Should().BeLessThan(2000);
                if (turn % 60 == 0) { _client.Send(message.ToBytes()); }
            }
        }

        codes.Should().Equal([.. Enumerable.Repeat(0, count - 1), 0x44]);
        _body.Should().Equal(bytes);
        LeavesNothing();
    }

    // Sets of ten blocks. The server confirms each set with 2.31, asks for lost blocks with 4.08, and gets the last block of a set again if it is silent.
    [Theory]
    [InlineData(0), InlineData(1), InlineData(1024), InlineData(1025), InlineData(40_000), InlineData(200_000)]
    [Trait("RFC", "9177 4.3")]
    public void A_client_like_libcoap_puts_a_body_in_non_confirmable_blocks(int size)
    {
        var bytes = Bytes(size);
        var count = CountOf(size);
        Queue<int> next = new(Enumerable.Range(0, Math.Min(SetSize, count)));
        var (sets, code) = (0, 0);
        for (var (turn, quiet) = (0, 0); turn < 20_000 && code != 0x44; turn++, quiet++)
        {
            while (next.TryDequeue(out var number)) { _client.Send(Part(NonConfirmable, bytes, number).ToBytes()); }
            foreach (var answer in Take())
            {
                (code, quiet) = (answer.Code, 0);
                if (code == 0x5f)
                {
                    sets = Math.Max(sets, (Number(answer, 19) / SetSize) + 1);
                    next = new(Enumerable.Range(sets * SetSize, Math.Clamp(count - (sets * SetSize), 0, SetSize)));
                }
                else if (code == 0x88) { next = new(Numbers(answer.Payload)); }
            }
            if (quiet <= 100) { continue; }
            (quiet, next) = (0, new([Math.Min(count, (sets + 1) * SetSize) - 1]));
        }

        code.Should().Be(0x44);
        _body.Should().Equal(bytes);
        LeavesNothing();
    }

    private static WireOption Path => new(11, "body"u8.ToArray());

    private bool IsComplete => _body.Length == 0 || (_isLastKnown && _blocks.Keys.Last() == _blocks.Count - 1);

    private static byte[] Bytes(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }

    private static int CountOf(int size) => Math.Max(1, (size + 1023) / 1024);

    private WireMessage Part(int type, byte[] bytes, int number)
    {
        var rest = bytes.AsSpan(number * 1024);
        WireOption[] options = [Path, new(19, Block(number, number < CountOf(bytes.Length) - 1)), new(60, UInt(bytes.Length)), new(292, [9])];
        return new(type, Put, ++_nextId, [0xc0, (byte)(number >> 8), (byte)number], options, rest[..Math.Min(1024, rest.Length)].ToArray());
    }

    // A sequence of CBOR integers up to 65,535 (RFC 9177, section 5).
    private static IEnumerable<int> Numbers(byte[] sequence)
    {
        for (var at = 0; at < sequence.Length;)
        {
            int head = sequence[at++];
            yield return head < 24 ? head : head == 24 ? sequence[at++] : (sequence[at++] << 8) | sequence[at++];
        }
    }

    private static int Number(WireMessage message, int option) =>
        message.Options.Where(one => one.Number == option).Select(one => one.Value.Aggregate(0, (sum, part) => (sum << 8) | part)).SingleOrDefault() >> 4;

    private static bool Note(WireMessage answer, List<int> codes)
    {
        codes.Add(answer.Code);
        return true;
    }

    private static byte[] UInt(int value) => [.. new[] { value >> 16, value >> 8, value }.Select(part => (byte)part).SkipWhile(part => part == 0)];

    private static byte[] Block(int number, bool hasMore) => UInt((number << 4) | (hasMore ? 8 : 0) | 6);

    private int FirstMissing() => Enumerable.Range(0, int.MaxValue).First(number => !_blocks.ContainsKey(number));

    private IEnumerable<(int, bool)> Missing()
    {
        var first = FirstMissing();
        return Enumerable.Range(first, SetSize - (first % SetSize)).Where(number => !_blocks.ContainsKey(number) && number * 1024 < _body.Length)
            .Select(number => (number, false));
    }

    private void Ask(int type, IEnumerable<(int Number, bool HasMore)> blocks) => _client.Send(new WireMessage(
        type, Get, ++_nextId, [0xc0, (byte)_nextId], [Path, .. blocks.Select(block => new WireOption(31, Block(block.Number, block.HasMore)))], []).ToBytes());

    private IEnumerable<WireMessage> Take()
    {
        _client.TakeAll(0.04);
        while (_taken < _client.Received.Count)
        {
            var message = WireMessage.Read(_client.Received[_taken++]);
            if (message.Type == Confirmable) { _client.Send(new WireMessage(Acknowledgement, 0, message.Id, [], [], []).ToBytes()); }
            yield return message;
        }
    }

    private bool Keep(WireMessage message)
    {
        message.Code.Should().Be(0x45);
        if (message.Payload.Length == 0 || !_blocks.TryAdd(Number(message, 31), message.Payload)) { return false; }
        _isLastKnown |= message.Options.All(static option => option.Number != 31 || (option.Value.LastOrDefault() & 8) == 0);
        return true;
    }

    private void LeavesNothing()
    {
        // The client no longer acknowledges, so its last acknowledgement must have arrived or the retransmissions end.
        _client.TakeAll(2000);
        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }
}
