using System.Text;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>Servers that release each connection and name another address (RFC 8323, section 5.5): each call ends, after a bounded number of connections.</summary>
public sealed class MaliciousRedirectTests : IAsyncDisposable
{
    private const string Csm = "00 e1 ";
    private const string HoldOffForEver = "40 e4 43 ffffff";
    private const int Calls = 5;

    // Two connections for each call, and one at the original address if the other one fails.
    private const int MostConnections = 3 * Calls;

    // A call needs about a minute. The clock may run ahead of the threads of a busy machine.
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(10);

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly List<IDisposable> _listening = [];
    private readonly Dictionary<string, int> _accepted = [];
    private CoapClient? _client;

    public async ValueTask DisposeAsync()
    {
        if (_client is not null) { await _time.PassAsync(_client.DisposeAsync().AsTask()); }
        foreach (var one in _listening) { one.Dispose(); }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Two_servers_that_name_each_other(bool isSync)
    {
        Listen("first", Csm + ReleaseTo("second"));
        Listen("second", Csm + ReleaseTo("first"));

        await FailAsync(isSync, allowsOtherHosts: true);

        _accepted.Values.Sum().Should().BeLessThanOrEqualTo(MostConnections);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_names_itself(bool isSync)
    {
        Listen("first", Csm + ReleaseTo("first"));

        await FailAsync(isSync, allowsOtherHosts: false);

        _accepted["first"].Should().BeLessThanOrEqualTo(MostConnections);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_names_another_host(bool isSync)
    {
        Listen("first", Csm + ReleaseTo("second"));
        Listen("second", Csm);

        await FailAsync(isSync, allowsOtherHosts: false);

        _accepted["second"].Should().Be(0, "the client follows it only to the same host");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_names_a_host_that_does_not_exist(bool isSync)
    {
        Listen("first", Csm + ReleaseTo("nobody"));

        await FailAsync(isSync, allowsOtherHosts: true);

        _accepted["first"].Should().BeLessThanOrEqualTo(MostConnections);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_asks_to_wait_for_ever(bool isSync)
    {
        Listen("first", Csm + HoldOffForEver);

        var last = await FailAsync(isSync, allowsOtherHosts: false);

        last.Should().BeOfType<CoapTransportException>().Which.RetryAfter.Should().BePositive().And.BeLessThanOrEqualTo(TimeSpan.FromHours(1));
        _accepted["first"].Should().BeLessThanOrEqualTo(2);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_aborts_each_connection(bool isSync)
    {
        Listen("first", "00 e5");

        await FailAsync(isSync, allowsOtherHosts: false);

        _accepted["first"].Should().BeLessThanOrEqualTo(MostConnections);
    }

    private static string ReleaseTo(string name) => $"{name.Length + 1:x}0 e4 2{name.Length:x} {Convert.ToHexString(Encoding.ASCII.GetBytes(name))}";

    private void Listen(string name, string says)
    {
        _accepted[name] = 0;
        _listening.Add(_network.Listen(PeerIdentity.From(name), connection =>
        {
            _accepted[name]++;
            new RawPeer(connection).Send(says);
        }));
    }

    private async Task<Exception> FailAsync(bool isSync, bool allowsOtherHosts)
    {
        var client = _client = new CoapClient(new()
        {
            Network = _network,
            TimeProvider = _time,
            Reconnect = new() { AllowsOtherHosts = allowsOtherHosts },
        });
        Exception? error = null;
        for (var one = 0; one < Calls; one++)
        {
            var before = _time.Elapsed;
            var call = isSync
                ? Task.Factory.StartNew(() => client.Get("coap+tcp://first/x"), default, TaskCreationOptions.LongRunning, TaskScheduler.Default)
                : client.GetAsync("coap+tcp://first/x").AsTask();
            await _time.PassAsync(call, TimeSpan.FromHours(1));
            error = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));
            error.Should().BeAssignableTo<CoapException>().Which.Message.Should().MatchRegex("first|second", "it names the peer");
            (_time.Elapsed - before).Should().BeLessThanOrEqualTo(Longest);
        }
        return error!;
    }
}
