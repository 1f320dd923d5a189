using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace CoAP.Tests.Stateless;

[Trait("RFC", "8974 3.1")]
public sealed class StatelessTokensTests : IDisposable
{
    private static readonly PeerIdentity Peer = PeerIdentity.From("peer");
    private static readonly byte[] Key = Enumerable.Range(0, 32).Select(index => (byte)index).ToArray();

    private readonly StatelessTokens _encrypting = new(new() { ReplayWindow = 64 }, [.. Key], isEncrypting: true);
    private readonly StatelessTokens _signing = new(new() { ReplayWindow = 64 }, [.. Key], isEncrypting: false);

    public void Dispose()
    {
        _encrypting.Dispose();
        _signing.Dispose();
    }

    private StatelessTokens Cut(bool isEncrypting) => isEncrypting ? _encrypting : _signing;

    private static TimeSpan At(double seconds) => TimeSpan.FromSeconds(seconds);

    private static Token Changed(in Token token, int index, byte mask = 1)
    {
        var bytes = token.ToArray();
        bytes[index] ^= mask;
        return new Token(bytes);
    }

    [Theory, Trait("RFC", "8974 5.2"), InlineData(true), InlineData(false)]
    public void Whatever_byte_is_changed_the_token_is_not_taken(bool isEncrypting)
    {
        var token = Cut(isEncrypting).Seal("state"u8, Peer, At(0));

        for (var index = 0; index < token.Length; index++) { Cut(isEncrypting).TryOpen(Changed(token, index), Peer, At(0), out _).Should().BeFalse($"byte {index} was changed"); }

        Cut(isEncrypting).TryOpen(token, Peer, At(0), out _).Should().BeTrue("failures use nothing up");
    }

    [Theory, InlineData(true), InlineData(false)]
    public void A_truncated_or_extended_token_is_rejected(bool isEncrypting)
    {
        var token = Cut(isEncrypting).Seal("state"u8, Peer, At(0)).ToArray();

        for (var length = 0; length < token.Length; length++) { Cut(isEncrypting).TryOpen(new Token(token.AsSpan(0, length)), Peer, At(0), out _).Should().BeFalse(); }
        Cut(isEncrypting).TryOpen(new Token([.. token, 0]), Peer, At(0), out _).Should().BeFalse();
        Cut(isEncrypting).TryOpen(new Token(new byte[Token.MaxLength]), Peer, At(0), out _).Should().BeFalse();
    }

    [Theory, Trait("RFC", "8974 5.2"), InlineData(true), InlineData(false)]
    public void A_token_of_one_peer_is_rejected_from_another(bool isEncrypting)
    {
        var token = Cut(isEncrypting).Seal("state"u8, Peer, At(0));

        Cut(isEncrypting).TryOpen(token, PeerIdentity.From("other"), At(0), out _).Should().BeFalse();
    }

    [Theory, Trait("RFC", "8974 5.2"), InlineData(true), InlineData(false)]
    public void A_token_is_accepted_once(bool isEncrypting)
    {
        var token = Cut(isEncrypting).Seal("state"u8, Peer, At(0));

        Cut(isEncrypting).TryOpen(token, Peer, At(1), out var state).Should().BeTrue();
        Cut(isEncrypting).TryOpen(token, Peer, At(1), out _).Should().BeFalse();

        state.ToArray().Should().Equal("state"u8.ToArray());
    }

    [Theory]
    [InlineData(0, true), InlineData(247, true), InlineData(247.2, false), InlineData(86_400, false), InlineData(-1, false)]
    public void A_token_is_accepted_during_its_lifetime(double later, bool isTaken)
    {
        var token = _encrypting.Seal(default, Peer, At(1000));

        _encrypting.TryOpen(token, Peer, At(1000 + later), out _).Should().Be(isTaken);
    }

    [Fact]
    public void The_time_may_pass_the_end_of_its_number()
    {
        var end = At(uint.MaxValue / 10.0);
        var token = _encrypting.Seal(default, Peer, end);

        _encrypting.TryOpen(token, Peer, end + At(10), out _).Should().BeTrue();
    }

    [Fact]
    public void Only_the_latest_tokens_of_the_window_are_accepted()
    {
        var tokens = Enumerable.Range(0, 100).Select(_ => _encrypting.Seal(default, Peer, At(0))).ToList();

        var taken = tokens.Select(token => _encrypting.TryOpen(token, Peer, At(0), out _)).ToList();

        taken.Should().Equal(Enumerable.Range(0, 100).Select(index => index >= 36));
        tokens.Count(token => _encrypting.TryOpen(token, Peer, At(0), out _)).Should().Be(0, "each is taken once");
    }

    [Fact]
    public void Tokens_of_another_object_are_not_taken()
    {
        using var other = new StatelessTokens();

        _encrypting.TryOpen(other.Seal(default, Peer, At(0)), Peer, At(0), out _).Should().BeFalse();
    }

    [Fact]
    public void After_disposal_no_token_is_created_or_accepted()
    {
        var cut = new StatelessTokens();
        var token = cut.Seal(default, Peer, At(0));
        cut.Dispose();

        cut.TryOpen(token, Peer, At(0), out _).Should().BeFalse();
        cut.Invoking(one => one.Seal(default, Peer, At(0))).Should().Throw<ObjectDisposedException>();
    }

    [Fact]
    public void A_state_that_is_too_long_is_refused()
    {
        _encrypting.Invoking(one => one.Seal(new byte[257], Peer, At(0))).Should().Throw<ArgumentException>().WithMessage("*257*256*");
        _encrypting.Seal(new byte[256], Peer, At(0)).Length.Should().Be(256 + StatelessTokens.Overhead);
    }

    // 6 bytes number 0, 4 bytes 100 ms, state, and the first 12 bytes of the HMAC over these, the peer and the length of its name.
    [Fact]
    public void Without_encryption_it_is_the_state_and_an_HMAC()
    {
        var token = _signing.Seal("state"u8, Peer, At(25.6));

        byte[] clear = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, .. "state"u8];
        using var hmac = new HMACSHA256(Key);
        token.ToArray().Should().Equal([.. clear, .. hmac.ComputeHash([.. clear, .. "peer"u8, 0, 4]).Take(12)]);
        _signing.IsEncrypting.Should().BeFalse();
    }

    [Fact]
    public void With_encryption_it_is_AES_GCM_with_the_number_as_nonce()
    {
        _encrypting.Seal(default, Peer, At(0));
        var token = _encrypting.Seal("state"u8, Peer, At(25.6)).ToArray();

        var clear = new byte[9];
        using var cipher = new AesGcm(Key, 12);
        cipher.Decrypt([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], token.AsSpan(6, 9), token.AsSpan(15), clear, [.. "peer"u8, 0, 4]);
        BinaryPrimitives.ReadUInt32BigEndian(clear).Should().Be(256);
        Encoding.UTF8.GetString(clear.AsSpan(4)).Should().Be("state");
        token.AsSpan(0, 6).ToArray().Should().Equal(0, 0, 0, 0, 0, 1);
    }

    [Fact]
    public void Many_threads_each_get_back_what_they_put_in()
    {
        using var cut = new StatelessTokens(new() { ReplayWindow = 1 << 16 });

        var wrong = Enumerable.Range(0, 20_000).AsParallel().Count(number =>
        {
            var token = cut.Seal(BitConverter.GetBytes(number), Peer, At(0));
            return !cut.TryOpen(token, Peer, At(0), out var state) || BitConverter.ToInt32(state.Span) != number;
        });

        wrong.Should().Be(0);
    }
}
