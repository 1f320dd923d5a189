using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Encrypts stored sessions with AES-256-GCM. Not safe for concurrent use.</summary>
internal sealed class SecretBox : IDisposable
{
    /// <summary>The number of bytes that encryption adds: a random nonce and the tag.</summary>
    public const int Overhead = NonceLength + TagLength;

    private const int ShortestSecret = 32, KeyLength = 32, NonceLength = 12, TagLength = 16;

    private readonly AesGcm _cipher;

    /// <param name="secret">At least 32 random bytes.</param>
    /// <exception cref="ArgumentException">The secret is shorter.</exception>
    public SecretBox(ReadOnlySpan<byte> secret)
    {
        if (secret.Length < ShortestSecret)
        {
            throw new ArgumentException($"The secret has {secret.Length} bytes; at least {ShortestSecret} random bytes are required.", nameof(secret));
        }
        Span<byte> key = stackalloc byte[KeyLength];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, secret, key, salt: [], info: "CoAP.NET session"u8);
        _cipher = new AesGcm(key, TagLength);
        CryptographicOperations.ZeroMemory(key);
    }

    /// <summary>Writes an encrypted text: a random nonce, the text, and the tag.</summary>
    /// <param name="text">The text.</param>
    /// <param name="place">What the text belongs to. It can be opened only there.</param>
    /// <param name="box">The length of the text and <see cref="Overhead"/>.</param>
    public void Seal(ReadOnlySpan<byte> text, ReadOnlySpan<byte> place, Span<byte> box)
    {
        RandomNumberGenerator.Fill(box[..NonceLength]);
        _cipher.Encrypt(box[..NonceLength], text, box.Slice(NonceLength, text.Length), box[(NonceLength + text.Length)..], place);
    }

    /// <summary>Gets the text.</summary>
    /// <param name="box">At least <see cref="Overhead"/> bytes.</param>
    /// <param name="place">What the text belongs to.</param>
    /// <param name="text">The length of the box without <see cref="Overhead"/>.</param>
    /// <exception cref="CryptographicException">The secret is wrong, or the bytes were changed.</exception>
    public void Open(ReadOnlySpan<byte> box, ReadOnlySpan<byte> place, Span<byte> text)
    {
        try { _cipher.Decrypt(box[..NonceLength], box[NonceLength..^TagLength], box[^TagLength..], text, place); }
        catch (AuthenticationTagMismatchException exception)
        {
            throw new CryptographicException("The sessions cannot be decrypted: the secret is not the one that has encrypted them, or the bytes were changed.", exception);
        }
    }

    public void Dispose() => _cipher.Dispose();
}
