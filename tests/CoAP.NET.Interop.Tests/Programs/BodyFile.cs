using System.Globalization;
using System.Security.Cryptography;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A file with a body that is one line of text, so that both sides' programs can print it.</summary>
internal sealed class BodyFile : IDisposable
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";

    public BodyFile(long size)
    {
        Path = System.IO.Path.GetTempFileName();
        using var file = File.Create(Path);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var piece = new byte[64 << 10];
        for (long at = 0; at < size; at += piece.Length)
        {
            for (var i = 0; i < piece.Length; i++) { piece[i] = (byte)Alphabet[(int)((at + i) % Alphabet.Length)]; }
            var part = piece.AsSpan(0, (int)Math.Min(piece.Length, size - at));
            file.Write(part);
            hash.AppendData(part);
        }
        Summary = string.Create(CultureInfo.InvariantCulture, $"{size} bytes, SHA-256 {Convert.ToHexStringLower(hash.GetHashAndReset())}");
    }

    public string Path { get; }

    /// <summary>What the sample server says about a body that it was given.</summary>
    public string Summary { get; }

    public string Text => File.ReadAllText(Path);

    public void Dispose() => File.Delete(Path);
}
