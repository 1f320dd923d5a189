using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Writes and reads the encrypted blocks of a <see cref="SessionFile"/>. A block has many sessions, because each encryption has a fixed cost.</summary>
/// <remarks>A block belongs to one place in one file, so nobody without the secret can move or repeat blocks.</remarks>
/// <param name="box">Encrypts the blocks.</param>
/// <param name="head">The head of the file.</param>
/// <param name="target">Where the blocks are written.</param>
/// <param name="number">The number of the next block.</param>
internal sealed class SessionBlocks(SecretBox box, byte[] head, Stream target, int number) : IDisposable
{
    private const byte Session = 0, Removal = 1;
    private const int EnoughText = 1 << 15, MaxText = 1 << 20;

    private readonly SecretWriter _text = new();
    private readonly SecretWriter _session = new();
    private byte[] _block = [];

    /// <summary>The number of the next block.</summary>
    public int Number { get; private set; } = number;

    /// <summary>Reads the blocks of a file. Blocks that a crash or a power failure has left incomplete end it.</summary>
    /// <remarks>Of each session, the last state counts, and nothing if it was removed.</remarks>
    /// <param name="box">Decrypts the blocks.</param>
    /// <param name="file">The whole file.</param>
    /// <param name="headLength">The length of the head of the file in bytes.</param>
    /// <param name="sessions">Gets the sessions by their names.</param>
    /// <exception cref="CryptographicException">The secret is another one, or the file was changed.</exception>
    public static void Read(SecretBox box, ReadOnlySpan<byte> file, int headLength, Dictionary<string, DtlsSessionState> sessions)
    {
        var (text, place, number) = (Array.Empty<byte>(), PlaceIn(file[..headLength]), 0);
        var rest = file[headLength..];
        try
        {
            while (rest.Length >= sizeof(int))
            {
                var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
                rest = rest[sizeof(int)..];
                if (length < SecretBox.Overhead || length > rest.Length || length > MaxText + SecretBox.Overhead) { return; }
                var textLength = length - SecretBox.Overhead;
                if (text.Length < textLength)
                {
                    CryptographicOperations.ZeroMemory(text);
                    text = new byte[Math.Max(textLength, 2 * EnoughText)];
                }
                try { box.Open(rest[..length], NumberAt(place, number), text.AsSpan(0, textLength)); }
                catch (CryptographicException) when (number > 0) { return; }       // the disk has its length, but not all of its bytes
                number++;
                Read(text.AsSpan(0, textLength), sessions);
                rest = rest[length..];
            }
        }
        finally { CryptographicOperations.ZeroMemory(text); }
    }

    /// <summary>Adds a session.</summary>
    public void Add(DtlsSessionState session)
    {
        session.Content.Write(_session);
        _text.Write(Session);
        _text.Write(session.Id);
        _text.Write(_session.Written);
        _session.Clear();
        EndEntry();
    }

    /// <summary>Adds the removal of a session.</summary>
    public void AddRemoval(string id)
    {
        _text.Write(Removal);
        _text.Write(id);
        EndEntry();
    }

    /// <summary>Writes the block, if it has any text or is the first one. The first one is never appended, so it shows whether the secret is right.</summary>
    public void EndBlock()
    {
        if (_text.Length == 0 && Number > 0) { return; }
        var (length, place) = (_text.Length + SecretBox.Overhead, PlaceIn(head));
        if (_block.Length < sizeof(int) + length) { _block = new byte[sizeof(int) + length + EnoughText]; }
        BinaryPrimitives.WriteInt32LittleEndian(_block, length);
        box.Seal(_text.Written, NumberAt(place, Number++), _block.AsSpan(sizeof(int), length));
        target.Write(_block.AsSpan(0, sizeof(int) + length));
        _text.Clear();
    }

    public void Dispose()
    {
        _text.Dispose();
        _session.Dispose();
    }

    private void EndEntry()
    {
        if (_text.Length >= EnoughText) { EndBlock(); }
    }

    /// <summary>Overwrites the keys of a session that nobody else has.</summary>
    public static void Erase(DtlsSessionState session) => CryptographicOperations.ZeroMemory(session.Content.Keys);

    private static void Read(ReadOnlySpan<byte> text, Dictionary<string, DtlsSessionState> sessions)
    {
        var reader = new SecretReader(text);
        while (!reader.IsAtEnd)
        {
            switch (reader.ReadByte())
            {
                case Session:
                    var id = reader.ReadText();     // to compose it would take longer
                    var content = SessionContent.Read(reader.ReadBytes());
                    // An earlier version has composed it with the number of the interface.
                    var session = content.Identity.Peer.ScopeId == 0 ? new DtlsSessionState(content, id) : new DtlsSessionState(content);
                    if (sessions.TryGetValue(id, out var earlier)) { Erase(earlier); }
                    sessions[id] = session;
                    break;
                case Removal:
                    if (sessions.Remove(reader.ReadText(), out var removed)) { Erase(removed); }
                    break;
                default:
                    throw SecretReader.NotSession();
            }
        }
    }

    private static byte[] PlaceIn(ReadOnlySpan<byte> head) => [.. head, .. new byte[sizeof(int)]];

    private static byte[] NumberAt(byte[] place, int number)
    {
        BinaryPrimitives.WriteInt32LittleEndian(place.AsSpan(place.Length - sizeof(int)), number);
        return place;
    }
}
