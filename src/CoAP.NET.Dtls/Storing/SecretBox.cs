using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Encrypts stored sessions with AES-256-GCM. Not safe for concurrent use.</summary>
internal sealed class SecretBox : IDisposable
{
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

    /// <summary>Returns an encrypted text: a random nonce, the text, and the tag.</summary>
    public byte[] Seal(ReadOnlySpan<byte> text)
    {
        var box = new byte[NonceLength + text.Length + TagLength];
        RandomNumberGenerator.Fill(box.AsSpan(0, NonceLength));
        _cipher.Encrypt(box.AsSpan(0, NonceLength), text, box.AsSpan(NonceLength, text.Length), box.AsSpan(NonceLength + text.Length));
        return box;
    }

    /// <summary>Returns the text.</summary>
    /// <exception cref="CryptographicException">The secret is another one, or the bytes were changed.</exception>
    public byte[] Open(ReadOnlySpan<byte> box)
    {
        if (box.Length < NonceLength + TagLength) { throw new CryptographicException($"An encrypted session has at least {NonceLength + TagLength} bytes, not {box.Length}."); }
        var text = new byte[box.Length - NonceLength - TagLength];
        try { _cipher.Decrypt(box[..NonceLength], box[NonceLength..^TagLength], box[^TagLength..], text); }
        catch (AuthenticationTagMismatchException exception)
        {
            throw new CryptographicException("The session cannot be decrypted: the secret is not the one that has encrypted it, or the bytes were changed.", exception);
        }
        return text;
    }

    public void Dispose() => _cipher.Dispose();
}
