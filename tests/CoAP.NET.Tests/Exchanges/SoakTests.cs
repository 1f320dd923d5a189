using System.Globalization;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>
/// Client and server over a wire that loses a fifth of all datagrams, repeats a tenth and reorders, in simulated time. What holds on such a
/// wire for every exchange holds by the rules of RFC 7252, not by luck: each seed is another run, and the same seed the same run.
/// </summary>
public sealed class SoakTests
{
    private const int Seeds = 200;
    private const int Requests = 20;

    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.5"), Trait("RFC", "7252 5.3.2")]
    public void Every_request_ends_rightly_and_is_handled_at_most_once_and_nothing_is_left()
    {
        var outcomes = Enumerable.Range(1, Seeds).Select(seed => new Run(seed).Outcome).ToList();

        outcomes.SelectMany(outcome => outcome.Wrong).Should().BeEmpty();
        outcomes.Sum(outcome => outcome.Answered).Should().BeGreaterThan(Seeds * Requests * 9 / 10, "four retransmissions get nearly everything through");
        outcomes.Sum(outcome => outcome.Answered).Should().BeLessThan(Seeds * Requests, "some non-confirmable requests are lost");
    }

    [Theory]
    [InlineData(1), InlineData(17), InlineData(42)]
    public void The_same_seed_gives_the_same_run(int seed)
    {
        var (first, again, other) = (new Run(seed), new Run(seed), new Run(seed + 1000));

        again.Trace.Should().Equal(first.Trace);
        other.Trace.Should().NotEqual(first.Trace);
    }

    private sealed record Result(int Answered, List<string> Wrong);

    private sealed class Run
    {
        private readonly Random _random;
        private readonly Wire _wire;
        private readonly Dictionary<string, int> _handled = [];
        private readonly List<(string Name, Task<CoapResponse> Call)> _calls = [];
        private readonly List<string> _wrong = [];
        private readonly int _seed;

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
            using var server = LaneEnd.Server(_wire, Map);
            using var client = LaneEnd.Client(_wire, new CoapClientSettings { Transmission = new() { NStart = 4 } });
            for (var number = 0; number < Requests; number++)
            {
                Send(client, $"{number}");
                _wire.RunFor(TimeSpan.FromSeconds(3 * _random.NextDouble()));
            }
            _wire.RunUntilIdle();
            Outcome = new(_calls.Count(call => Judge(call.Name, call.Call)), _wrong);
            Check(client);
            Check(server);
        }

        public Result Outcome { get; }

        /// <summary>When which kind of message was sent; token, message ID and their bytes are by chance that nobody can guess.</summary>
        public IReadOnlyList<string> Trace =>
        [
            .. _wire.Sent(Direction.ToServer).Concat(_wire.Sent(Direction.ToClient))
                .Select(sent => $"{sent.Time.Ticks} {sent.From} {sent.Bytes[0]:x2}{sent.Bytes[1]:x2} {sent.Bytes.Length} {sent.Copies}"),
        ];

        private void Send(LaneEnd client, string name)
        {
            var resource = _random.Next(3) switch { 0 => "at-once", 1 => "soon", _ => "late" };
            var request = new CoapRequest(RequestCode.Post, $"/{resource}/{name}") { IsConfirmable = _random.Next(4) > 0 };
            _calls.Add((name, client.Send(request)));
        }

        private void Map(ResourceMap resources)
        {
            resources.At("at-once/{name}").Post(Handle, HandlerMode.Inline);
            resources.At("soon/{name}").Post((request, _) => HandleAfter(request, 0.2));
            resources.At("late/{name}").Post((request, _) => HandleAfter(request, 5));
        }

        private async ValueTask<CoapResponse> HandleAfter(IncomingRequest request, double seconds)
        {
            var response = Handle(request);
            await LateAnswer.After(_wire.Time, TimeSpan.FromSeconds(seconds));
            return response;
        }

        private CoapResponse Handle(IncomingRequest request)
        {
            _handled[request["name"]] = _handled.GetValueOrDefault(request["name"]) + 1;
            return Response.Content($"the answer to {request["name"]}");
        }

        private bool Judge(string name, Task<CoapResponse> call)
        {
            var times = _handled.GetValueOrDefault(name);
            if (times > 1) { Complain(name, $"was handled {times} times"); }
            if (!call.IsCompleted) { Complain(name, "never ended"); }
            else if (call.IsFaulted && call.Exception!.InnerException is not CoapTimeoutException) { Complain(name, $"failed with {call.Exception!.InnerException}"); }
            if (!call.IsCompletedSuccessfully) { return false; }
            if (call.Answer().PayloadText != $"the answer to {name}" || times == 0) { Complain(name, $"got {call.Answer().PayloadText}"); }
            return true;
        }

        private void Check(LaneEnd end)
        {
            if (end.Leftovers != "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines") { Complain(end.Self.ToString(), end.Leftovers); }
        }

        private void Complain(string what, string about) => _wrong.Add(string.Create(CultureInfo.InvariantCulture, $"seed {_seed}: {what} {about}"));
    }
}
