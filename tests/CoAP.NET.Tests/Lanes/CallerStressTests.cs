using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Lanes;

/// <summary>Sync and async callers at once, tokens that fire at any time, and ends in between: everybody comes back.</summary>
[Trait("Category", "Loopback")]
public sealed class CallerStressTests
{
    private const int Callers = 12;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly int Rounds = TestLevel.IsFull ? 100 : 3;
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    [Theory]
    [InlineData(LaneForm.Thread, 1, "coap"), InlineData(LaneForm.Thread, 2, "coap+tcp")]
    [InlineData(LaneForm.ThreadPool, 1, "coap"), InlineData(LaneForm.ThreadPool, 2, "coap+tcp")]
    public void Every_caller_comes_back_whatever_happens_around_it(LaneForm form, int lanes, string scheme)
    {
        for (var round = 0; round < Rounds; round++)
        {
            var seed = (round * 100) + ((int)form * 10) + lanes;
            using var server = NewServer(form, lanes, round);
            var client = new CoapClient(new CoapClientSettings { LaneForm = form, Lanes = lanes, Transmission = new() { NStart = 4 } });
            var address = server.Endpoints.First(endpoint => endpoint.IsTcp == (scheme != "coap")).Address;

            var callers = Enumerable.Range(0, Callers).Select(number => Start(client, $"{scheme}://{address}/", new Random(seed + (1000 * number)))).ToList();
            if (round % 2 == 1) { callers[0].Thread.Join(); }
            else { callers.ForEach(static caller => caller.Thread.Join(Patience)); }
            client.Dispose();

            callers.ForEach(caller => caller.Thread.Join(Patience).Should().BeTrue($"nobody may hang (seed {seed}, at {caller.At})"));
            callers.Select(static caller => caller.Unexpected).Should().OnlyContain(static error => error == null, "seed {0}", seed);
        }
    }

    private static CoapServer NewServer(LaneForm form, int lanes, int round)
    {
        var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Udp(AnyPort), ServerEndpoint.Tcp(AnyPort)],
            LaneForm = form,
            Lanes = lanes,
            Mode = (ServerMode)(round % 3),
        });
        server.Resources.At("now").Get(static (_, _) => new(Response.Content("now")));
        server.Resources.At("later").Get(static async (_, _) =>
        {
            await Task.Yield();
            return Response.Content("later");
        });
        server.Start();
        return server;
    }

    private static Caller Start(CoapClient client, string uri, Random random)
    {
        var caller = new Caller(client, uri, random);
        caller.Thread.Start();
        return caller;
    }

    private sealed class Caller
    {
        private const int Requests = 200;
        private readonly CoapClient _client;
        private readonly string _uri;
        private readonly Random _random;

        public Caller(CoapClient client, string uri, Random random)
        {
            (_client, _uri, _random) = (client, uri, random);
            Thread = new Thread(Run) { IsBackground = true };
        }

        public Thread Thread { get; }

        public string At { get; private set; } = "";

        public Exception? Unexpected { get; private set; }

        private void Run()
        {
            for (var request = 0; request < Requests && Unexpected is null; request++)
            {
                try { Ask(request); }
                catch (Exception exception) when (exception is OperationCanceledException or CoapException)
                {
                    // The token has fired, or the end has come.
                }
                catch (ObjectDisposedException) { return; }
                catch (Exception exception) { Unexpected = exception; }
            }
        }

        private void Ask(int request)
        {
            var source = new CancellationTokenSource();
            var target = _uri + (_random.Next(4) == 0 ? "later" : "now");
            var (isParked, fires) = (_random.Next(2) == 0, _random.Next(4));
            At = $"request {request} to {target}, {(isParked ? "parked" : "awaited")}, token {fires}";
            if (fires == 1) { source.CancelAfter(TimeSpan.FromMilliseconds(_random.Next(3))); }
            if (fires == 2) { ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), source, preferLocal: false); }
            if (isParked) { _client.Get(target, source.Token); }
            else { Await(_client.GetAsync(target, source.Token)); }
        }

        private static void Await(ValueTask<CoapResponse> response)
        {
            using var done = new ManualResetEventSlim();
            var task = response.AsTask();
            task.ContinueWith(_ => done.Set(), TaskScheduler.Default);
            done.Wait();
            task.GetAwaiter().GetResult();
        }
    }
}
