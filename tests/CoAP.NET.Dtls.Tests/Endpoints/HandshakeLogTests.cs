using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Net;
using CoAP.Dtls;
using CoAP.Tests.Dtls.Certificates;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>What the log and the metrics say about handshakes that fail, in simulated time.</summary>
public sealed class HandshakeLogTests : IDisposable
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly ConcurrentQueue<(string Instrument, object? Reason)> _counted = new();
    private readonly MeterListener _listener = new();
    private readonly TestLog _log = new();
    private LaneEnd? _server;
    private LaneEnd? _client;

    public HandshakeLogTests()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "CoAP.NET.Dtls") { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) =>
        {
            foreach (var (name, value) in tags)
            {
                if (name is "coap.drop.reason" or "error.type") { _counted.Enqueue((instrument.Name, value)); }
            }
        });
        _listener.Start();
    }

    public void Dispose()
    {
        _listener.Dispose();
        _log.Dispose();
        _client?.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void A_server_names_the_identity_behind_a_wrong_key()
    {
        Run(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = new("device-7", "another key"u8) });

        _server!.Log.Lines(LogLevel.Information).Should().Contain(static line => line.Contains("another key for the identity 'device-7'", StringComparison.Ordinal));
        _counted.Should().Contain(("coap.dtls.handshake.failed", "key"));
    }

    [Fact]
    public void An_unknown_identity_is_named_without_characters_that_forge_lines()
    {
        Run(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = new("device-8\nINFO: all is well", "a key of 16 bytes"u8) });

        _server!.Log.Lines(LogLevel.Information).Should()
            .Contain(static line => line.Contains("The client's PSK identity 'device-8 INFO: all is well' is unknown to the key store",
                StringComparison.Ordinal));
        _counted.Should().Contain(("coap.dtls.handshake.failed", "key"));
    }

    [Fact]
    public void A_key_store_that_throws_is_named_with_its_exception()
    {
        var thrown = new InvalidOperationException("no database");

        Run(new() { PreSharedKeys = PskStore.From(new Func<string, byte[]?>(_ => throw thrown)) }, new() { PreSharedKey = Key });

        _server!.Log.Exceptions.Should().ContainSingle().Which.Should().BeSameAs(thrown);
        _server.Log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().StartWith("IPskStore.FindAsync threw an exception");
        _server.Log.Lines(LogLevel.Information).Should().Contain(static line => line.Contains("IPskStore.FindAsync threw InvalidOperationException: no database", StringComparison.Ordinal));
    }

    [Fact]
    public void A_key_store_that_never_answers_is_named_on_both_sides()
    {
        var never = new TaskCompletionSource<byte[]?>();

        var answer = Run(new() { PreSharedKeys = PskStore.From(async (_, cancellationToken) => await never.Task.WaitAsync(cancellationToken)) }, new() { PreSharedKey = Key });

        _server!.Log.Lines(LogLevel.Information).Should()
            .Contain(static line => line.Contains("the key store (IPskStore.FindAsync) has not answered within 60 s (HandshakeTimeout)", StringComparison.Ordinal));
        answer.Exception!.InnerException!.Message.Should().Contain("or its key store does not answer");
    }

    [Theory, InlineData(false, "(RequiresClientCertificate"), InlineData(true, "no cipher suite that this server can use")]
    public void A_client_without_the_required_certificate_is_told_apart_from_one_without_a_common_suite(bool hasKey, string expected)
    {
        using var authority = new TestAuthority();
        using var certificate = authority.IssueServer("server");
        var settings = new DtlsServerSettings { Certificate = TlsCertificateSource.From(certificate), TrustedRoots = [authority.Root], RequiresClientCertificate = true };

        Run(settings, new() { TrustedRoots = [authority.Root], PreSharedKey = hasKey ? Key : null });

        _server!.Log.Lines(LogLevel.Information).Should().Contain(line => line.Contains(expected, StringComparison.Ordinal));
    }

    [Fact]
    public void A_log_line_counts_similar_ones_only_if_there_were_some()
    {
        var brief = TimeSpan.FromMilliseconds(50);
        Run(new() { PreSharedKeys = PskStore.From(Key), FlightTimeout = brief },
            new() { PreSharedKey = new("device-8", "a key of 16 bytes"u8), FlightTimeout = brief });
        _server!.Log.Lines(LogLevel.Information).Should().ContainSingle().Which.Should().EndWith("is unknown to the key store (PreSharedKeys).");

        for (var calls = 0; calls < 3; calls++) { _client!.Send(new CoapRequest(RequestCode.Get, "/"), PeerNames.OfServer(_wire.Server, "server")); _wire.RunUntilIdle(TimeSpan.FromSeconds(3)); }
        _wire.RunUntilIdle(TimeSpan.FromMinutes(10));
        _client!.Send(new CoapRequest(RequestCode.Get, "/"), PeerNames.OfServer(_wire.Server, "server"));
        _wire.RunUntilIdle(TimeSpan.FromMinutes(10));

        _server.Log.Lines(LogLevel.Information).Last().Should().EndWith(" Similar messages not logged since the last one: 2.");
    }

    [Fact]
    public async Task A_plain_message_at_a_DTLS_endpoint_is_logged()
    {
        await using var cut = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))],
            Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) },
            LoggerFactory = _log,
        });
        cut.Start();
        await using var client = new CoapClient(new() { Transmission = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(50), MaxRetransmit = 1 } });
        var ask = async () => await client.GetAsync($"coap://{cut.Endpoints[0].Address}/");

        await ask.Should().ThrowAsync<CoapTimeoutException>();

        // The client may have given up before the server had its turn.
        await cut.TakeTurnsUntilAsync(() => Lines().Any());
        Lines().Should().ContainSingle()
            .Which.Should().Contain($"{cut.Endpoints[0].Address}").And.Contain("scheme coaps");

        IEnumerable<string> Lines() => _log.Lines(LogLevel.Information)
            .Where(static line => line.StartsWith("A plain CoAP message from 127.0.0.1:", StringComparison.Ordinal));
    }

    [Fact]
    public void The_log_names_the_callback_of_the_server_that_has_thrown()
    {
        var thrown = new InvalidOperationException("no list of devices");

        Run(new() { PreSharedKeys = PskStore.From(Key), ContinuesPeer = _ => throw thrown }, new() { PreSharedKey = Key });

        _server!.Log.Exceptions.Should().Contain(thrown);
        _server.Log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().StartWith("ContinuesPeer threw an exception for ");
    }

    [Theory, InlineData(0), InlineData(257)]
    public void A_key_of_the_store_with_another_length_is_logged_and_not_used(int length)
    {
        Run(new() { PreSharedKeys = PskStore.From(_ => new byte[length]) }, new() { PreSharedKey = Key });

        _server!.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain($"a key of {length} bytes for the identity 'device-7'; 1 to 256 are allowed");
        _counted.Should().Contain(("coap.dtls.handshake.failed", "key"));
    }

    [Fact]
    public void An_exception_of_a_callback_is_logged()
    {
        using var authority = new TestAuthority();
        using var certificate = authority.IssueServer("server");
        var thrown = new InvalidOperationException("no list of servers");

        var answer = Run(new() { Certificate = TlsCertificateSource.From(certificate) }, new() { ValidateServer = (_, _, _, _) => throw thrown });

        _client!.Log.Exceptions.Should().Contain(thrown);
        _client.Log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().StartWith("ValidateServer threw an exception");
        var error = answer.Exception!.InnerException.Should().BeOfType<CoapSecurityException>().Which;
        (error.Failure, error.InnerException).Should().Be((TlsFailure.Certificate, thrown));
        _counted.Should().Contain(("coap.dtls.handshake.failed", "certificate"));
    }

    private Task<CoapResponse> Run(DtlsServerSettings server, DtlsClientSettings client)
    {
        _server = LaneEnd.Server(_wire, static _ => { }, new CoapServerSettings { Dtls = server with { ComputesOnLane = true } });
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Dtls = client with { ComputesOnLane = true } });
        var answer = _client.Send(new CoapRequest(RequestCode.Get, "/"), PeerNames.OfServer(_wire.Server, "server"));
        _wire.RunUntilIdle(TimeSpan.FromMinutes(10));
        return answer;
    }
}
