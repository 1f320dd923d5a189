using System.Globalization;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>
/// Bodies in both directions over a wire that loses a fifth of all datagrams, repeats a tenth and reorders, in simulated time: whatever is
/// lost, a transfer ends with the right bytes or with an error that says what went wrong, and nobody remembers it afterwards.
/// </summary>
public sealed class TransferSoakTests
{
    private static readonly int Seeds = TestLevel.IsFull ? 1000 : 300;
    private const int Transfers = 3;
    private const int LargestBody = 3000;

    [Fact, Trait("RFC", "7959 2.4"), Trait("RFC", "7959 2.5")]
    public void Every_transfer_ends_with_the_right_bytes_or_a_clear_error_and_nothing_is_left()
    {
        var runs = Enumerable.Range(1, Seeds).Select(seed => new Run(seed)).ToList();

        runs.SelectMany(run => run.Wrong).Should().BeEmpty();
        runs.Sum(run => run.Completed).Should().BeGreaterThan(Seeds * Transfers / 2, "most of the short ones get through");
        runs.Sum(run => run.Completed).Should().BeLessThan(Seeds * Transfers, "some are lost, five times in a row");
    }

    [Theory]
    [InlineData(1), InlineData(17), InlineData(42)]
    public void The_same_seed_gives_the_same_run(int seed)
    {
        var (first, again, other) = (new Run(seed), new Run(seed), new Run(seed + Seeds));

        again.Trace.Should().Equal(first.Trace);
        other.Trace.Should().NotEqual(first.Trace);
    }

    private sealed class Run
    {
        private readonly Random _random;
        private readonly Wire _wire;
        private readonly int _seed;
        private readonly Dictionary<string, byte[]> _stored = [];
        private readonly List<(string Name, byte[] Sent, byte[] Wanted, Task<CoapResponse> Call)> _calls = [];
        private readonly Dictionary<string, byte[]> _bodies = [];
        private readonly List<string> _wrong = [];

        public Run(int seed)
        {
            _seed = seed;
            _random = new Random(seed);
            _wire = new Wire(new ManualClock(), seed)
            {
                Loss = 0.2,
                Duplication = 0.1,
                Latency = TimeSpan.FromMilliseconds(20),
                Jitter = TimeSpan.FromSeconds(1),
            };
            var blockSize = 16 << _random.Next(7);
            // All on one thread: what other threads bring comes at no certain time.
            using var server = LaneEnd.Server(_wire, Map, new CoapServerSettings { MaxInlinePayload = int.MaxValue });
            using var client = LaneEnd.Client(_wire, new CoapClientSettings
            {
                Transmission = new() { NStart = Transfers },
                ClientTransfers = new() { BlockSize = blockSize },
            });
            for (var number = 0; number < Transfers; number++) { Send(client, $"{number}", LargestBody * blockSize / 1024 + 40); }
            _wire.RunUntilIdle(TimeSpan.FromHours(24));
            Completed = _calls.Count(call => Judge(call.Name, call.Sent, call.Wanted, call.Call));
            Check(client);
            Check(server);
        }

        public int Completed { get; }

        public IReadOnlyList<string> Wrong => _wrong;

        /// <summary>When which kind of message was sent; token, message ID and their bytes are by chance that nobody can guess.</summary>
        public IReadOnlyList<string> Trace =>
        [
            .. _wire.Sent(Direction.ToServer).Concat(_wire.Sent(Direction.ToClient))
                .Select(sent => $"{sent.Time.Ticks} {sent.From} {sent.Bytes[0]:x2}{sent.Bytes[1]:x2} {sent.Bytes.Length} {sent.Copies}"),
        ];

        private void Send(LaneEnd client, string name, int most)
        {
            var kind = _random.Next(3);
            var (sent, wanted) = (kind > 0 ? Body(most) : [], kind != 1 ? Body(most) : []);
            _bodies[name] = wanted;
            var path = $"/body/{name}";
            var request = kind switch
            {
                0 => new CoapRequest(RequestCode.Get, path),
                1 => new CoapRequest(RequestCode.Put, path) { Payload = sent },
                _ => new CoapRequest(RequestCode.Post, path) { Payload = sent },
            };
            _calls.Add((name, sent, wanted, client.Send(request)));
        }

        private byte[] Body(int most)
        {
            var bytes = new byte[_random.Next(most)];
            _random.NextBytes(bytes);
            return bytes;
        }

        private void Map(ResourceMap resources) => resources.At("body/{name}")
            .Get(request => Response.Content(_bodies[request["name"]], ContentFormats.OctetStream), HandlerMode.Inline)
            .Put(request =>
            {
                Store(request);
                return Response.Changed;
            }, HandlerMode.Inline)
            .Post(request =>
            {
                Store(request);
                return Response.Content(_bodies[request["name"]], ContentFormats.OctetStream);
            }, HandlerMode.Inline);

        private void Store(IncomingRequest request)
        {
            if (!_stored.TryAdd(request["name"], request.Payload.ToArray())) { Complain(request["name"], "was stored twice"); }
        }

        private bool Judge(string name, byte[] sent, byte[] wanted, Task<CoapResponse> call)
        {
            if (_stored.TryGetValue(name, out var stored) && !stored.AsSpan().SequenceEqual(sent)) { Complain(name, "was stored with other bytes"); }
            if (!call.IsCompleted) { Complain(name, "never ended"); }
            else if (call.IsFaulted && (call.Exception!.InnerException is CoapTransferException transfer ? transfer.InnerException : call.Exception.InnerException) is not CoapTimeoutException) { Complain(name, $"failed with {call.Exception!.InnerException}"); }
            if (!call.IsCompletedSuccessfully) { return false; }
            var response = call.Answer();
            if (response.Code == ResponseCode.RequestEntityIncomplete) { return false; }
            if (!response.IsSuccess) { Complain(name, $"was answered {response.Code}: {response.PayloadText}"); }
            else if (!response.Payload.Span.SequenceEqual(wanted)) { Complain(name, $"brought {response.Payload.Length} bytes and not the {wanted.Length} that were asked for"); }
            else if (sent.Length > 0 && stored is null) { Complain(name, "was never stored"); }
            return response.IsSuccess;
        }

        private void Check(LaneEnd end)
        {
            if (end.Leftovers != "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines") { Complain(end.Self.ToString(), end.Leftovers); }
        }

        private void Complain(string what, string about) => _wrong.Add(string.Create(CultureInfo.InvariantCulture, $"seed {_seed}: {what} {about}"));
    }
}
