using System.Runtime.InteropServices;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Handshakes;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>
/// A client that does what a test says, record by record, with an endpoint under test. It has several addresses: it sends each record from the one that the test names.
/// </summary>
internal sealed class ScriptedDevice : IWireEnd, IDatagramReceiver, IDisposable
{
    public const string Home = "home", Away = "away", Third = "third";

    private readonly Wire _wire;
    private readonly OpenSslCipher _cipher = new();
    private readonly SslContext _context;
    private readonly OpenSslHandshake _side;
    private readonly HandshakeMachine _machine;
    private readonly int _idLength;
    private readonly Dictionary<string, IDatagramTransport> _places = [];
    private readonly List<Arrival> _arrivals = [];
    private readonly Dictionary<string, (ContentType, byte[])> _opened = [];

    /// <param name="wire">The network.</param>
    /// <param name="idLength">The length of its connection ID; <see langword="null"/> if it does not have the extension.</param>
    /// <param name="hasCheck">Whether it has the return routability check.</param>
    /// <param name="maxFragment">The code of its max_fragment_length; 0 if it does not have the extension.</param>
    /// <param name="earlier">The session that it resumes.</param>
    /// <param name="key">Its key; <see langword="null"/> for <see cref="Key"/>.</param>
    /// <param name="places">Its addresses; <see langword="null"/> for all three.</param>
    public ScriptedDevice(
        Wire wire, int? idLength = 0, bool hasCheck = true, byte maxFragment = 0, byte[]? earlier = null, PreSharedKey? key = null, string[]? places = null)
    {
        (_wire, _idLength) = (wire, idLength ?? 0);
        key ??= Key;
        foreach (var name in places ?? [Home, Away, Third]) { _places[name] = wire.Network.OpenDatagrams(PeerIdentity.From(name)); }
        _context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        if (maxFragment > 0) { SetMaxFragmentLength(_context, maxFragment).Should().Be(1); }
        _side = new OpenSslHandshake(_context, idLength is { } length ? Enumerable.Repeat((byte)0xD1, length).ToArray() : (ReadOnlyMemory<byte>?)null)
        {
            PskIdentity = Encoding.UTF8.GetBytes(key.Identity),
            PskKey = key.CopyKey(),
            OffersRoutabilityCheck = hasCheck,
        };
        if (earlier is not null) { _side.Resume(earlier); }
        _machine = new HandshakeMachine(_side, _cipher, new HandshakeSettings(), isServer: false);
        wire.Attach(this);
    }

    public static PreSharedKey Key { get; } = new("device-7", "a key of 16 bytes"u8);

    public TimeSpan? NextDeadline => _machine.Deadline == long.MaxValue ? null : TimeSpan.FromTicks(_machine.Deadline);

    public DtlsSession Session => _machine.Session!;

    public bool IsResumed => _side.IsResumed;

    public byte[] Resumable => _side.ExportForResumption()!;

    /// <summary>Why the handshake has failed.</summary>
    public string? Failure => _machine.Failure;

    /// <summary>What has arrived since the last call of <see cref="Forget"/>.</summary>
    public IReadOnlyList<Arrival> Arrivals => _arrivals;

    /// <summary>Shakes hands at home.</summary>
    public void ShakeHands()
    {
        _machine.OnBegun();
        ServerEnd.Compute(_machine, _side.Begin, Now);
        Flush();
        _wire.RunUntil(() => _machine.IsDone || _machine.Failure is not null, TimeSpan.FromSeconds(10)).Should().BeTrue();
        _wire.RunFor(TimeSpan.FromSeconds(1));
    }

    /// <summary>Seals a record, which is sent now or later.</summary>
    public byte[] Seal(ContentType type, byte[] content)
    {
        var record = new byte[Session.LengthOf(content.Length)];
        Session.Seal(_cipher, type, content, record);
        return record;
    }

    public static byte[] Message(string text) => MessageNotation.Parse(text, []).ToBytes();

    public void Send(string from, byte[] datagram) => _places[from].Send(new ChannelKey(_wire.Server, PeerIdentity.From(from)), datagram);

    /// <summary>Sends a CoAP message in the notation of the figures.</summary>
    public void Send(string from, string message) => Send(from, Seal(ContentType.ApplicationData, Message(message)));

    /// <summary>Sends a message of the return routability check.</summary>
    public void Send(string from, RoutabilityMessageType type, ulong cookie) =>
        Send(from, Seal(ContentType.ReturnRoutabilityCheck, new RoutabilityMessage(type, cookie).ToBytes()));

    /// <summary>Gives up all addresses but one, which others can have then.</summary>
    public void KeepOnly(string address)
    {
        foreach (var (name, place) in _places.Where(one => one.Key != address).ToArray())
        {
            place.Dispose();
            _places.Remove(name);
        }
    }

    public void RunFor(double seconds) => _wire.RunFor(TimeSpan.FromSeconds(seconds));

    public void Forget() => _arrivals.Clear();

    /// <summary>Returns the contents of a type that have arrived at an address.</summary>
    public IReadOnlyList<byte[]> At(string address, ContentType type) =>
        [.. _arrivals.Where(one => one.Address == address && one.Type == type).Select(static one => one.Content)];

    /// <summary>Returns the CoAP messages that have arrived at an address, without pings.</summary>
    public IReadOnlyList<WireMessage> MessagesAt(string address) =>
        [.. At(address, ContentType.ApplicationData).Select(static content => WireMessage.Read(content)).Where(static message => message.Code != 0)];

    /// <summary>Returns the message IDs of the pings that have arrived at an address.</summary>
    public IReadOnlyList<int> PingsAt(string address) =>
        [.. At(address, ContentType.ApplicationData).Select(static content => WireMessage.Read(content)).Where(static message => message is { Code: 0, Type: 0 }).Select(static message => message.Id)];

    /// <summary>Returns the cookies of the messages of the return routability check of one type that have arrived at an address.</summary>
    public IReadOnlyList<ulong> CookiesAt(string address, RoutabilityMessageType type)
    {
        var messages = At(address, ContentType.ReturnRoutabilityCheck).Select(static content =>
        {
            RoutabilityMessage.TryRead(content, out var message).Should().BeTrue();
            return message;
        });
        return [.. messages.Where(message => message.Type == type).Select(static message => message.Cookie)];
    }

    public bool Run()
    {
        var isDue = Now >= _machine.Deadline;
        _machine.OnDeadline(Now);
        Flush();
        var count = 0;
        foreach (var place in _places.Values) { count += place.Receive(this); }
        return isDue || count > 0;
    }

    public void Dispose()
    {
        if (_places.Count == 0) { return; }
        foreach (var place in _places.Values) { place.Dispose(); }
        _places.Clear();
        _side.Dispose();
        _context.Dispose();
        _cipher.Dispose();
    }

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        Span<byte> rest = datagram.ToArray();
        while (DtlsRecord.TryRead(ref rest, _idLength, out var record))
        {
            if (!_machine.IsDone) { _machine.OnRecord(record, Now); }
            else if (record.Number.Epoch == 0) { _arrivals.Add(new(_wire.Time.Elapsed, key.Local.ToString(), record.Type, record.Body.ToArray(), datagram.Length)); }
            else { Open(record, key.Local.ToString(), datagram); }
        }
        while (_machine.NextMessage() is { } message) { ServerEnd.Compute(_machine, () => _side.Feed(message), Now); }
        Flush();
    }

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }

    private long Now => _wire.Time.Elapsed.Ticks;

    // A record can arrive at two addresses.
    private void Open(in DtlsRecord record, string address, ReadOnlySpan<byte> datagram)
    {
        var text = Hex.Text(datagram);
        if (!_opened.TryGetValue(text, out var opened))
        {
            Session.Open(_cipher, record, out var type, out var content).Should().BeOneOf(RecordVerdict.Newest, RecordVerdict.Late);
            opened = _opened[text] = (type, content.ToArray());
        }
        _arrivals.Add(new(_wire.Time.Elapsed, address, opened.Item1, opened.Item2, datagram.Length));
    }

    private void Flush()
    {
        while (_machine.TryNextDatagram(out var datagram)) { Send(Home, datagram.ToArray()); }
    }

    [DllImport("libssl.so.3", EntryPoint = "SSL_CTX_set_tlsext_max_fragment_length")]
    private static extern int SetMaxFragmentLength(SslContext context, byte mode);

    /// <summary>A record that has arrived.</summary>
    public sealed record Arrival(TimeSpan Time, string Address, ContentType Type, byte[] Content, int DatagramLength);
}
