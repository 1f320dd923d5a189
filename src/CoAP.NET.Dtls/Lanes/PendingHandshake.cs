using System.Security.Cryptography;
using System.Text;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>A handshake in progress: the machine on the lane, and the computations on workers.</summary>
internal sealed class PendingHandshake : IDisposable
{
    private const int Idle = 0, Computing = 1, Over = 2;

    private readonly DtlsLane _lane;
    private readonly LaneTimer _timer;
    private readonly TimeSpan _endsAt;
    private readonly CancellationTokenSource _ending = new();
    private readonly LedgerCharge? _charge;
    private OpenSslHandshake? _handshake;
    private string _serverName = "";
    private bool _isTaken;
    private int _use;       // shared with the worker: the last of both frees the handshake

    public PendingHandshake(DtlsLane lane, in ChannelKey address, LedgerCharge? charge)
    {
        (_lane, Address, _charge) = (lane, address, charge);
        _endsAt = lane.Now + lane.Settings.HandshakeTimeout;
        _timer = lane.Lane.CreateTimer(OnTime);
    }

    public ChannelKey Address { get; }

    /// <summary>The identity of the server; none on a server.</summary>
    public ChannelKey Identity { get; init; }

    /// <summary>Our connection ID; <see langword="null"/> if none are used.</summary>
    public ReadOnlyMemory<byte>? OwnId { get; init; }

    /// <summary>The messages that wait for the session.</summary>
    public HeldMessages Held { get; } = new();

    /// <summary>Collects the fragments of the ClientHello on a server.</summary>
    public HandshakeAssembler? Hello { get; init; }

    /// <summary>The random bytes of the ClientHello on a server.</summary>
    public byte[] Random { get; init; } = [];

    /// <summary>The machine, once the first computation has ended.</summary>
    public HandshakeMachine? Machine { get; private set; }

    /// <summary>Returns the session of a handshake that has succeeded. The keys of other handshakes are overwritten at their end.</summary>
    public DtlsSession TakeSession()
    {
        _isTaken = true;
        return Machine!.Session!;
    }

    /// <summary>The computations, once the first one has ended.</summary>
    public OpenSslHandshake? Handshake => _handshake;

    /// <summary>The credentials of the peer, when the handshake is done; <see langword="null"/> if it has none.</summary>
    public PeerCredentials? Credentials => _handshake switch
    {
        { Peer.Certificate: { } certificate } => new PeerCredentials { Certificate = certificate },
        { Peer.RawKey: { } key } => new PeerCredentials { RawPublicKey = key },
        { PskIdentity: { } identity } => new PeerCredentials { PreSharedKeyIdentity = Encoding.UTF8.GetString(identity) },
        _ => null,
    };

    /// <summary>Begins the handshake of a client, or of a server with the whole ClientHello.</summary>
    /// <param name="start">What the handshake begins with.</param>
    /// <param name="number">The number of our first record.</param>
    public void Begin(HandshakeStart start, RecordNumber number)
    {
        if (start.ClientHello is { } hello && _lane.Source.Keys is not null) { _serverName = ClientHello.ServerNameOf(hello); }
        Schedule();
        Compute(() => _lane.Source.Begin(out _handshake, start), failure =>
        {
            if (_handshake is null)
            {
                _lane.OnFailed(this, failure ?? "it could not begin");
                return;
            }
            var next = (ushort)(Hello?.Next ?? 0);
            Machine = new HandshakeMachine(_handshake, _lane.Cipher, _lane.ForHandshakes, isServer: start.ClientHello is not null, next, number);
            Machine.OnBegun();
            OnFed(failure);
        });
    }

    /// <summary>Processes a record of the peer. Before the machine exists, it can be a further fragment of the hello.</summary>
    public void OnRecord(in DtlsRecord record)
    {
        if (Machine is { } machine)
        {
            machine.OnRecord(record, _lane.Now.Ticks);
            Advance();
        }
        else if (Hello is { } hello && record is { Type: ContentType.Handshake, Number.Epoch: 0 })
        {
            hello.Add(record.Body);
            if (hello.TakeNext() is { } whole) { Begin(new HandshakeStart(OwnId, whole, default), record.Number); }
        }
    }

    /// <summary>Ends the handshake and frees its memory.</summary>
    public void Dispose()
    {
        _timer.Stop();
        _charge?.Dispose();
        _ending.Cancel();
        _ending.Dispose();
        if (!_isTaken) { Machine?.Session?.Erase(); }
        if (Interlocked.Exchange(ref _use, Over) == Idle) { _handshake?.Dispose(); }
    }

    // Processes what has arrived: sends, computes, and ends the handshake when it is done.
    private void Advance()
    {
        if (Machine is not { } machine || Volatile.Read(ref _use) == Over) { return; }
        _lane.Send(machine, Address);
        if (machine.Failure is { } failure) { _lane.OnFailed(this, failure); }
        else if (machine.IsDone) { _lane.OnDone(this); }
        else
        {
            if (machine.NextMessage() is { } message) { Feed(machine, message); }
            Schedule();
        }
    }

    private void Compute(Action work, Action<string?> done)
    {
        Volatile.Write(ref _use, Computing);
        _lane.Workers.Post(() => Run(work, done));
    }

    // On a worker.
    private void Run(Action work, Action<string?> done)
    {
        var (failure, defect) = Try(work);
        if (Interlocked.CompareExchange(ref _use, Idle, Computing) == Over) { _handshake?.Dispose(); }
        else { _lane.Lane.Post(() => OnComputed(failure, defect, done)); }
    }

    private static (string? Failure, Exception? Defect) Try(Action work)
    {
        try
        {
            work();
            return (null, null);
        }
        catch (CryptographicException exception) { return (exception.Message.TrimEnd('.'), null); }
        catch (Exception exception) // The edge to the code of the user, which chooses keys. The handshake fails.
        {
            return (exception.Message.TrimEnd('.'), exception);
        }
    }

    private void OnComputed(string? failure, Exception? defect, Action<string?> done)
    {
        if (Volatile.Read(ref _use) == Over) { return; }
        if (defect is not null) { _lane.Log.KeysFailed(defect, Address.Peer); }
        done(failure);
    }

    private void OnFed(string? failure)
    {
        Machine!.OnFed(failure, _lane.Now.Ticks);
        Advance();
    }

    private void Feed(HandshakeMachine machine, byte[] message)
    {
        if (machine.IdentityIn(message) is { } identity)
        {
            _handshake!.PskIdentity = identity.ToArray();
            Find(Encoding.UTF8.GetString(identity.Span), message);
        }
        // Two hashes: a change of threads would take longer.
        else if (message[0] == (byte)HandshakeType.Finished)
        {
            var (failure, defect) = Try(() => _handshake!.Feed(message));
            OnComputed(failure, defect, OnFed);
        }
        else { Compute(() => _handshake!.Feed(message), OnFed); }
    }

    // The key store may be slow, so the worker does not wait for it.
    private void Find(string identity, byte[] message)
    {
        Volatile.Write(ref _use, Computing);
        _lane.Workers.Post(() =>
        {
            var finding = FindAsync(identity);
            if (finding.IsCompleted) { Run(() => Use(finding.Result, message), OnFed); }
            else if (Interlocked.CompareExchange(ref _use, Idle, Computing) == Over) { _handshake?.Dispose(); }
            else { _ = ContinueAsync(finding, message); }
        });
    }

    private async Task ContinueAsync(Task<(byte[]? Key, Exception? Defect)> finding, byte[] message)
    {
        var found = await finding.ConfigureAwait(false);
        _lane.Lane.Post(() =>
        {
            if (Volatile.Read(ref _use) != Over) { Compute(() => Use(found, message), OnFed); }
        });
    }

    private async Task<(byte[]? Key, Exception? Defect)> FindAsync(string identity)
    {
        try { return (_lane.Source.Keys is { } keys ? await keys.FindAsync(new PskRequest(identity, _serverName, Address.Peer), _ending.Token).ConfigureAwait(false) : null, null); }
        catch (Exception exception) // The edge to the code of the user. The handshake fails.
        {
            return (null, exception);
        }
    }

    private void Use((byte[]? Key, Exception? Defect) found, byte[] message)
    {
        if (found.Defect is { } defect) { _lane.Lane.Post(() => _lane.Log.KeysFailed(defect, Address.Peer)); }
        _handshake!.PskKey = found.Key is { } key ? [.. key] : null;
        _handshake.Feed(message);
    }

    private void Schedule()
    {
        if (Volatile.Read(ref _use) == Over) { return; }
        var deadline = Machine is { } machine && machine.Deadline != long.MaxValue ? TimeSpan.FromTicks(machine.Deadline) : _endsAt;
        var due = (deadline < _endsAt ? deadline : _endsAt) - _lane.Now;
        _timer.Start(due > TimeSpan.Zero ? due : TimeSpan.Zero);
    }

    private void OnTime()
    {
        if (_lane.Now >= _endsAt) { _lane.OnFailed(this, $"it took longer than {_lane.Settings.HandshakeTimeout.TotalSeconds:0.###} s (HandshakeTimeout)"); }
        else
        {
            Machine?.OnDeadline(_lane.Now.Ticks);
            Advance();
        }
    }
}
