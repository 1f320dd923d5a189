using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using CoAP.Tests.Transports.Tls;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Siege;

/// <summary>Handshakes of TLS that come to nothing.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class AbortedHandshakesTests : IDisposable
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);
    private static readonly byte[] HelloBegins = [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3];

    private readonly TestCertificates _certificates = new();

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task Two_hundred_leave_nothing_behind_and_two_lines_in_the_log_at_most(ServerMode mode)
    {
        var log = new TestLog();
        await using var besieged = Besieged(mode, settings => settings with { LoggerFactory = log });

        for (var at = 0; at < 200; at++)
        {
            var socket = ConnectTls(besieged);
            if (at % 4 == 0) { Reject(socket); }
            else if (at % 4 == 1) { BesiegedServer.TrySend(socket, "GET / HTTP/1.1\r\n\r\n"u8); }
            else if (at % 4 == 2) { BesiegedServer.TrySend(socket, HelloBegins); }
            BesiegedServer.Reset(socket);
        }

        besieged.ShouldHaveNothingLeft();
        log.Lines(LogLevel.Information).Count(static line => line.Contains("could not be secured", StringComparison.Ordinal)).Should().BeInRange(1, 2);
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task A_handshake_that_trickles_is_closed_however_regularly_a_byte_arrives(ServerMode mode)
    {
        await using var besieged = Besieged(mode);
        var socket = ConnectTls(besieged);

        var sent = 0;
        using (var ticks = new PeriodicTimer(TimeSpan.FromMilliseconds(50)))
        {
            while (sent < 400 && BesiegedServer.TrySend(socket, [sent < HelloBegins.Length ? HelloBegins[sent] : (byte)0]))
            {
                sent++;
                await ticks.WaitForNextTickAsync();
            }
        }

        socket.Dispose();

        sent.Should().BeLessThan(400, "the time is that of the whole handshake, and these would be 20 s of it");
        besieged.ShouldHaveNothingLeft();
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task One_handshake_past_the_limit_is_closed_at_once_and_the_next_one_is_let_in_when_there_is_room(ServerMode mode)
    {
        var log = new TestLog();
        await using var besieged = Besieged(mode, settings => settings with
        {
            LoggerFactory = log,
            Tls = settings.Tls with { MaxConcurrentHandshakes = 3, HandshakeTimeout = TimeSpan.FromMinutes(1) },
        });
        using var first = ConnectTls(besieged);
        using var second = ConnectTls(besieged);

        using var third = ConnectTls(besieged);
        var refused = BesiegedServer.ReadToEnd(third);
        BesiegedServer.Reset(first);
        await using var client = new CoapClient(new CoapClientSettings { Tls = new() { TrustedRoots = _certificates.Roots } });
        var answer = await GetWhenThereIsRoomAsync(client, besieged);

        refused.Should().BeEmpty();
        answer.PayloadText.Should().Be("hello");
        log.Lines(LogLevel.Warning).Should().Contain(line => line.Contains("127.0.0.1 holds 2 of 3 (TlsServerSettings.MaxConcurrentHandshakes)", StringComparison.Ordinal));
    }

    private static async Task<CoapResponse> GetWhenThereIsRoomAsync(CoapClient client, BesiegedServer besieged)
    {
        for (var attempt = 0; ; attempt++)
        {
            try { return await client.GetAsync($"coaps+tcp://{besieged.Server.Endpoints[1].Address}/hello"); }
            catch (CoapException) when (attempt < 100)
            {
                // The server has not seen yet that the other one has gone. It closes the connection before or within the handshake.
            }
        }
    }

    private BesiegedServer Besieged(ServerMode mode, Func<CoapServerSettings, CoapServerSettings>? change = null)
    {
        var tls = new TlsServerSettings { Certificate = TlsCertificateSource.From(_certificates.Issue("127.0.0.1")), HandshakeTimeout = BesiegedServer.Patience };
        return new BesiegedServer(mode, settings => (change ?? (static same => same))(settings with { Tls = tls }), ServerEndpoint.Tls(AnyPort));
    }

    private static Socket ConnectTls(BesiegedServer besieged) => BesiegedServer.Connect(besieged.Server.Endpoints[1].Address);

    private static void Reject(Socket socket)
    {
        using var secured = new SslStream(new NetworkStream(socket, ownsSocket: false), false, static (_, _, _, _) => false);
        try { secured.AuthenticateAsClient("127.0.0.1"); }
        catch (Exception exception) when (exception is AuthenticationException or IOException)
        {
            // That is what was wanted.
        }
    }
}
