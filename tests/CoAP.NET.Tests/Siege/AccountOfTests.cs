using CoAP.Accounting;
using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Siege;

/// <summary>A user's function that names accounts, and what it may do wrong.</summary>
public sealed class AccountOfTests : IDisposable
{
    private static readonly PeerIdentity Peer = PeerIdentity.From("peer");

    private readonly ManualClock _time = new();
    private readonly TestLog _log = new();
    private readonly EndpointLog _endpointLog;

    public AccountOfTests() => _endpointLog = new EndpointLog(_log, _time);

    public void Dispose() => _log.Dispose();

    [Fact]
    public void The_name_of_an_identity_is_its_account() => Of((_, _) => Account.Of("fleet")).Should().Be(Account.Of("fleet"));

    [Fact]
    public void Without_a_name_the_peer_has_the_account_of_its_address()
    {
        Of((_, _) => null).Should().Be(Account.Of(Peer));
        Of((_, _) => default(Account)).Should().Be(Account.Of(Peer), "a failed lookup must not make a verified peer an unverified one");
        _log.Lines(LogLevel.Trace).Should().BeEmpty();
    }

    [Fact]
    public void An_exception_costs_the_peer_nothing_and_is_logged_once()
    {
        for (var i = 0; i < 10; i++) { Of((_, _) => throw new InvalidOperationException("The table is gone.")).Should().Be(Account.Of(Peer)); }

        _log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().Contain("AccountOf").And.Contain("peer");
    }

    private Account Of(Func<PeerIdentity, PeerCredentials?, Account?> accountOf)
    {
        using var ledger = new Ledger(new LedgerSettings { AccountOf = accountOf }, new CoapServerSettings().ForLedger(), _endpointLog);
        return ledger.AccountOf(Peer, credentials: null, isVerified: true);
    }
}
