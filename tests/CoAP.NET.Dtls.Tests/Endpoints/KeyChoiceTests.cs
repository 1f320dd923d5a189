using System.Net.Security;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>How both sides choose keys, and decide about certificates.</summary>
public sealed class KeyChoiceTests : IDisposable
{
    private static readonly PreSharedKey North = new("north", "a key of the north"u8), South = new("south", "a key of the south"u8);

    private readonly TestAuthority _authority = new();
    private readonly TestAuthority _stranger = new("CN=Stranger");
    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;

    public void Dispose()
    {
        _authority.Dispose();
        _stranger.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory, Trait("RFC", "4279 5.2"), InlineData("south", "south"), InlineData(null, "north")]
    public async Task A_client_chooses_its_key_by_the_hint_of_the_server(string? hint, string expected)
    {
        await using var cut = new SecuredPair(
            new() { PreSharedKeys = PskStore.From(North, South), PreSharedKeyHint = hint },
            new() { PreSharedKey = North, SelectPreSharedKeyByHint = static (host, given) => (host, given) == ("127.0.0.1", "south") ? South : null },
            isInMemory: false);

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be(expected);
    }

    [Fact, Trait("RFC", "4279 5.2")]
    public async Task A_client_without_a_key_for_the_hint_gives_up()
    {
        await using var cut = new SecuredPair(
            new() { PreSharedKeys = PskStore.From(North), PreSharedKeyHint = "west" },
            new() { PreSharedKey = North, SelectPreSharedKeyByHint = static (_, given) => throw new InvalidOperationException($"no key for {given}") },
            isInMemory: false);

        var ask = async () => await cut.Client.GetAsync(cut.Origin + "/who");

        (await ask.Should().ThrowAsync<CoapSecurityException>()).WithMessage("*no key for west*");
    }

    [Fact, Trait("RFC", "6066 3")]
    public async Task A_key_store_sees_the_name_of_the_server_and_the_address_of_the_client()
    {
        var requests = new System.Collections.Concurrent.ConcurrentQueue<PskRequest>();
        await using var cut = new SecuredPair(new() { PreSharedKeys = new Recording(requests) }, new() { PreSharedKey = North }, isInMemory: false);

        await cut.Client.GetAsync(cut.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who");

        var request = requests.Should().ContainSingle().Subject;
        (request.Identity, request.ServerName).Should().Be(("north", "localhost"));
        request.Address.ToString().Should().StartWith("127.0.0.1:");
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_client_can_decide_about_the_certificate_of_a_server_itself(bool accepts)
    {
        using var certificate = _stranger.IssueServer("other.example");
        SslPolicyErrors? seen = null;
        await using var cut = new SecuredPair(
            new() { Certificate = TlsCertificateSource.From(certificate) },
            new()
            {
                TrustedRoots = [_authority.Root],
                ValidateServer = (_, presented, _, errors) =>
                {
                    seen = errors;
                    return accepts && presented!.Subject == "CN=other.example";
                },
            },
            isInMemory: false);

        var ask = async () => await cut.Client.GetAsync(cut.Origin + "/who");

        if (accepts) { await ask.Should().NotThrowAsync(); }
        else { (await ask.Should().ThrowAsync<CoapSecurityException>()).Which.Failure.Should().Be(TlsFailure.Certificate); }
        seen.Should().Be(SslPolicyErrors.RemoteCertificateChainErrors | SslPolicyErrors.RemoteCertificateNameMismatch);
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_server_can_decide_about_the_certificate_of_a_client_itself(bool accepts)
    {
        using var ofServer = _authority.IssueServer("127.0.0.1");
        using var ofClient = _stranger.IssueClient("device-7");
        await using var cut = new SecuredPair(
            new() { Certificate = TlsCertificateSource.From(ofServer), ValidateClient = (_, presented, _, _) => accepts && presented!.Subject == "CN=device-7" },
            new() { TrustedRoots = [_authority.Root], Certificate = ofClient },
            isInMemory: false);

        var ask = async () => (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText;

        if (accepts) { (await ask()).Should().Be("CN=device-7"); }
        else { (await ask.Should().ThrowAsync<CoapSecurityException>()).Which.Failure.Should().Be(TlsFailure.Certificate); }
    }

    [Fact]
    public async Task The_key_log_has_a_line_for_each_session_and_only_its_owner_can_read_it()
    {
        var file = Path.Combine(_folder, "keys");
        await using (var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(North), KeyLogFile = file }, new() { PreSharedKey = North }, isInMemory: false))
        {
            await cut.Client.GetAsync(cut.Origin + "/who");
            await using var other = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = North, KeyLogFile = file } });
            await other.GetAsync(cut.Origin + "/who");
        }

        var lines = await File.ReadAllLinesAsync(file);
        lines.Should().HaveCount(3).And.OnlyContain(static line => System.Text.RegularExpressions.Regex.IsMatch(line, "^CLIENT_RANDOM [0-9a-f]{64} [0-9a-f]{96}$"));
        lines[1..].Distinct().Should().ContainSingle("both sides of a session have the same secret");
        if (OperatingSystem.IsLinux()) { File.GetUnixFileMode(file).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite); }
    }

    [Fact]
    public void A_key_log_that_cannot_be_written_is_an_error_at_the_start()
    {
        var start = () => new SecuredPair(new() { PreSharedKeys = PskStore.From(North), KeyLogFile = Path.Combine(_folder, "none", "keys") }, new(), isInMemory: false);

        start.Should().Throw<IOException>();
    }

    [Theory, Trait("RFC", "9146 3"), InlineData(8, 2), InlineData(16, 4), InlineData(4, 0), InlineData(6, 1)]
    public async Task Connection_IDs_begin_with_the_prefix_and_have_the_length_of_the_settings(int length, int prefixLength)
    {
        byte[] prefix = [.. Enumerable.Repeat((byte)0xA5, prefixLength)];
        await using var cut = new SecuredPair(
            new() { PreSharedKeys = PskStore.From(North), ConnectionIdLength = length, ConnectionIdPrefix = prefix }, new() { PreSharedKey = North }, isInMemory: false);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var ids = new HashSet<string>();
        relay.Passes = (datagram, toServer) =>
        {
            if (toServer && datagram[0] == 25) { lock (ids) { ids.Add(Convert.ToHexString(datagram.AsSpan(11, length))); } }
            return true;
        };

        for (var request = 0; request < 3; request++) { (await cut.Client.GetAsync($"coaps://127.0.0.1:{relay.Port}/who")).PayloadText.Should().Be("north"); }

        ids.Should().ContainSingle().Which.Should().StartWith(Convert.ToHexString(prefix));
    }

    [Fact]
    public void A_prefix_that_leaves_too_little_room_is_an_error_at_the_start()
    {
        var start = () => new SecuredPair(
            new() { PreSharedKeys = PskStore.From(North), ConnectionIdLength = 4, ConnectionIdPrefix = new byte[2] }, new(), isInMemory: false);

        start.Should().Throw<InvalidOperationException>().WithMessage("*ConnectionIdPrefix has 2 bytes*at least 6 and not 4*");
        FluentActions.Invoking(static () => new DtlsServerSettings { ConnectionIdPrefix = new byte[5] }).Should().Throw<ArgumentOutOfRangeException>();
    }

    private sealed class Recording(System.Collections.Concurrent.ConcurrentQueue<PskRequest> requests) : IPskStore
    {
        public ValueTask<byte[]?> FindAsync(PskRequest request, CancellationToken cancellationToken)
        {
            requests.Enqueue(request);
            return PskStore.From(North).FindAsync(request, cancellationToken);
        }
    }
}
