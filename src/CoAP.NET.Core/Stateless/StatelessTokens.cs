using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace CoAP;

// A token (RFC 8974, sections 3.1 and 5.2):
//
//   | number, 6 bytes | time, 4 bytes, and state | tag, 12 bytes |
//                      `------- encrypted -------'
//
// - AES-256-GCM if the platform supports it. Otherwise the middle is not encrypted and the tag is a truncated HMAC-SHA-256.
// - The number is the nonce. It is never used twice, because the key belongs to the object. For the same reason, a token of one form is never
//   accepted as one of the other form.
// - The peer is authenticated as well: a token is valid only for the peer that it was created for.

/// <summary>Encodes the state of a request in its token, so that nothing is stored until the response arrives (RFC 8974, section 3).</summary>
/// <remarks>
/// A token is authenticated, encrypted if the platform has AES-GCM (<see cref="IsEncrypting"/>), bound to the peer and to a time, and accepted
/// once. Tokens become invalid with this object. Safe for concurrent use.
/// </remarks>
public sealed class StatelessTokens : IDisposable
{
    /// <summary>The number of bytes in a token beside the state.</summary>
    public const int Overhead = NumberLength + TimeLength + TagLength;

    private const int NumberLength = 6;
    private const int TimeLength = 4;
    private const int TagLength = 12;
    private const int NonceLength = 12;
    private const int KeyLength = 32;
    private const long TicksPerUnit = TimeSpan.TicksPerMillisecond * 100;

    private readonly Lock _gate = new();
    private readonly StatelessTokenSettings _settings;
    private readonly byte[] _key;
    private readonly AesGcm? _cipher;
    private readonly ulong[] _used;
    private ulong _next;
    private bool _isDisposed;

    /// <summary>Creates a key.</summary>
    public StatelessTokens(StatelessTokenSettings? settings = null)
        : this(settings, RandomNumberGenerator.GetBytes(KeyLength), AesGcm.IsSupported)
    {
    }

    internal StatelessTokens(StatelessTokenSettings? settings, byte[] key, bool isEncrypting)
    {
        (_settings, _key) = (settings ?? new StatelessTokenSettings(), key);
        _cipher = isEncrypting ? new AesGcm(key, TagLength) : null;
        _used = new ulong[(_settings.ReplayWindow + 63) / 64];
    }

    /// <summary>Whether the state is encrypted.</summary>
    public bool IsEncrypting => _cipher is not null;

    /// <summary>Creates the token of a request.</summary>
    /// <param name="state">The state, at most <see cref="StatelessTokenSettings.MaxStateLength"/> bytes.</param>
    /// <param name="peer">The peer that the request is sent to.</param>
    /// <param name="now">The time since any fixed moment.</param>
    /// <exception cref="ArgumentException">The state is too long.</exception>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public Token Seal(ReadOnlySpan<byte> state, PeerIdentity peer, TimeSpan now)
    {
        ThrowIfTooLong(state.Length);
        var token = new byte[Overhead + state.Length];
        var middle = token.AsSpan(NumberLength, TimeLength + state.Length);
        BinaryPrimitives.WriteUInt32BigEndian(middle, Units(now));
        state.CopyTo(middle[TimeLength..]);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            var number = _next++;
            MarkUsed(number, isUsed: false);
            WriteNumber(token, number);
            Protect(token, middle, peer);
        }
        return new Token(token);
    }

    /// <summary>Accepts the token of a response. Returns <see langword="false"/> if it is not ours, was changed, is from another peer, is too old or
    /// was accepted before.</summary>
    /// <param name="token">The token of the response.</param>
    /// <param name="peer">The peer that sent the response.</param>
    /// <param name="now">The time since the same moment.</param>
    /// <param name="state">The state of the request.</param>
    public bool TryOpen(in Token token, PeerIdentity peer, TimeSpan now, out ReadOnlyMemory<byte> state)
    {
        state = default;
        if (token.Length < Overhead || token.Length > Overhead + _settings.MaxStateLength) { return false; }
        var bytes = token.ToArray();
        var middle = bytes.AsMemory(NumberLength, bytes.Length - NumberLength - TagLength);
        lock (_gate)
        {
            if (_isDisposed || !TryUnprotect(bytes, middle.Span, peer)) { return false; }
            var number = ReadNumber(bytes);
            var isFresh = Units(now) - BinaryPrimitives.ReadUInt32BigEndian(middle.Span) <= Units(_settings.Lifetime);
            if (!isFresh || _next - number > (ulong)_settings.ReplayWindow || IsUsed(number)) { return false; }
            MarkUsed(number, isUsed: true);
        }
        state = middle[TimeLength..];
        return true;
    }

    /// <summary>Deletes the key. No token is accepted afterwards.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _cipher?.Dispose();
            CryptographicOperations.ZeroMemory(_key);
        }
    }

    internal void ThrowIfTooLong(int stateLength)
    {
        if (stateLength > _settings.MaxStateLength)
        {
            throw new ArgumentException($"The state has {stateLength} bytes; at most {_settings.MaxStateLength} fit into a token (MaxStateLength).");
        }
    }

    private void Protect(byte[] token, Span<byte> middle, in PeerIdentity peer)
    {
        var tag = token.AsSpan(token.Length - TagLength);
        if (_cipher is null) { Authenticate(token, peer, tag); }
        else { _cipher.Encrypt(NonceOf(token), middle, middle, tag, Bound(peer)); }
    }

    private bool TryUnprotect(byte[] token, Span<byte> middle, in PeerIdentity peer)
    {
        var tag = token.AsSpan(token.Length - TagLength);
        if (_cipher is null)
        {
            Span<byte> expected = stackalloc byte[TagLength];
            Authenticate(token, peer, expected);
            return CryptographicOperations.FixedTimeEquals(expected, tag);
        }
        try { _cipher.Decrypt(NonceOf(token), middle, tag, middle, Bound(peer)); }
        catch (AuthenticationTagMismatchException) { return false; }
        return true;
    }

    private void Authenticate(ReadOnlySpan<byte> token, in PeerIdentity peer, Span<byte> tag)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, [.. token[..^TagLength], .. Bound(peer)], mac);
        mac[..TagLength].CopyTo(tag);
    }

    // The length at the end makes the concatenation with a token of any length unambiguous.
    private static byte[] Bound(in PeerIdentity peer)
    {
        var name = Encoding.UTF8.GetBytes(peer.ToString());
        return [.. name, (byte)(name.Length >> 8), (byte)name.Length];
    }

    private static byte[] NonceOf(ReadOnlySpan<byte> token)
    {
        var nonce = new byte[NonceLength];
        token[..NumberLength].CopyTo(nonce.AsSpan(NonceLength - NumberLength));
        return nonce;
    }

    private static uint Units(TimeSpan time) => unchecked((uint)(time.Ticks / TicksPerUnit));

    private static void WriteNumber(Span<byte> token, ulong number)
    {
        BinaryPrimitives.WriteUInt16BigEndian(token, (ushort)(number >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(token[2..], (uint)number);
    }

    private static ulong ReadNumber(ReadOnlySpan<byte> token) =>
        ((ulong)BinaryPrimitives.ReadUInt16BigEndian(token) << 32) | BinaryPrimitives.ReadUInt32BigEndian(token[2..]);

    private (int Index, ulong Bit) PlaceOf(ulong number)
    {
        var place = (int)(number % ((ulong)_used.Length * 64));
        return (place / 64, 1UL << (place % 64));
    }

    private bool IsUsed(ulong number) => PlaceOf(number) is var (index, bit) && (_used[index] & bit) != 0;

    private void MarkUsed(ulong number, bool isUsed)
    {
        var (index, bit) = PlaceOf(number);
        _used[index] = isUsed ? _used[index] | bit : _used[index] & ~bit;
    }
}
