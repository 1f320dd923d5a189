using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Tool.Benchmarking;

/// <summary>
/// Load over UDP without security, on one thread: the serializer of the library and plain sockets, many datagrams with one system call. A client per request
/// would cost as much as a fast server, and would be measured instead of it.
/// </summary>
/// <remarks>
/// A confirmable request is sent again after ACK_TIMEOUT, twice that time and so on, as long as it waits (RFC 7252, section 4.2). A response needs the token
/// and the socket of its request, and a piggybacked one the message ID, too (section 5.3.2). Message IDs are used again within EXCHANGE_LIFETIME.
/// </remarks>
internal sealed unsafe class DatagramGenerator : IGenerator
{
    private const int ReceiveBuffer = 1 << 20, LongestWait = 10;
    private const int MaxRetransmit = 4; // RFC 7252, section 4.8

    private static readonly long SweepInterval = Stopwatch.Frequency / 20;

    private readonly BenchSettings _settings;
    private readonly IPEndPoint _server;
    private readonly long _ackTimeout;
    private readonly Socket[] _sockets;
    private readonly ushort[] _messageIds;
    private readonly int[] _waiting;
    private readonly RequestSlots _slots;
    private readonly SendQueue _queue;
    private readonly Stack<int> _free = new();
    private readonly DatagramBatch _sent = new(receives: false), _received = new(receives: true);
    private readonly Readiness _readiness = new();
    private readonly byte[] _empty = new byte[4];
    private readonly TaskCompletionSource<Tally> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Tally _tally = new();
    private RateSchedule? _schedule;
    private MeasuredTime? _time;
    private volatile bool _mustMeasure, _mustStop;
    private Thread? _thread;

    /// <param name="settings">The load.</param>
    /// <param name="server">The address of the server.</param>
    /// <exception cref="SocketException">A socket cannot be opened.</exception>
    public DatagramGenerator(BenchSettings settings, IPEndPoint server)
    {
        (_settings, _server, _ackTimeout) = (settings, server, Stamps(settings.AckTimeout));
        _slots = new RequestSlots(ToMessage(settings, server), settings.Slots);
        _queue = new SendQueue(_slots, settings.Clients);
        (_messageIds, _waiting) = (new ushort[settings.Clients], new int[settings.Clients]);
        _sockets = new Socket[settings.Clients];
        for (var number = 0; number < _sockets.Length; number++) { Open(number); }
    }

    public string Name => "raw datagrams";

    public long Answers => _time is null ? 0 : Volatile.Read(ref _tally).Good;

    public void Start()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "load" };
        _thread.Start();
    }

    public void Measure() => _mustMeasure = true;

    public Task<Tally> StopAsync()
    {
        _mustStop = true;
        return _end.Task;
    }

    public ValueTask DisposeAsync()
    {
        _mustStop = true;
        _thread?.Join();
        foreach (var socket in _sockets) { socket?.Dispose(); }
        _readiness.Dispose();
        _sent.Dispose();
        _received.Dispose();
        _slots.Dispose();
        return ValueTask.CompletedTask;
    }

    private static long Stamps(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    private static CoapMessage ToMessage(BenchSettings settings, IPEndPoint server)
    {
        var options = CoapUri.Parse(settings.Uri).ToOptions(server.Address, server.Port);
        return new CoapMessage
        {
            Type = settings.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable,
            Code = settings.Method,
            Token = RequestSlots.AnyToken,
            Options = settings.ContentFormat is { } format ? options.With(new Options.ContentFormat(format)) : options,
            Payload = settings.Payload,
        };
    }

    private void Open(int number)
    {
        var socket = new Socket(_server.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { ReceiveBufferSize = ReceiveBuffer, Blocking = false };
        _sockets[number] = socket;
        socket.Connect(_server);
        _messageIds[number] = (ushort)Random.Shared.Next();
        _readiness.Add(socket, number);
    }

    private void Run()
    {
        try
        {
            RunUntilStopped();
            _time?.End(_tally);
            _end.TrySetResult(_tally);
        }
        catch (Exception exception)
        {
            _end.TrySetException(exception);      // thrown where the tally is awaited
        }
    }

    private void RunUntilStopped()
    {
        var swept = Stopwatch.GetTimestamp();
        _schedule = _settings.Rate is { } rate ? new RateSchedule(rate, swept) : null;
        for (var index = 0; index < _slots.Count; index++)
        {
            _slots[index].Socket = index % _sockets.Length;
            if (_schedule is null) { Issue(index); }
            else { _free.Push(index); }
        }
        while (!_mustStop)
        {
            if (_mustMeasure) { BeginMeasure(); }
            IssueDue();
            for (var index = 0; index < _queue.Listed; index++) { Flush(_queue.SocketAt(index)); }
            _queue.Tidy();
            var count = _readiness.Wait(Pause());
            for (var index = 0; index < count; index++) { Read(_readiness.NumberAt(index)); }
            var now = Stopwatch.GetTimestamp();
            if (now - swept > SweepInterval) { Sweep(swept = now); }
        }
    }

    private void BeginMeasure()
    {
        _mustMeasure = false;
        Volatile.Write(ref _tally, new Tally());
        _time = new MeasuredTime();
    }

    private void Issue(int index)
    {
        var socket = _slots[index].Socket;
        _slots.Renew(index, _messageIds[socket]++);
        _waiting[socket]++;
        _queue.Add(index);
    }

    private void IssueDue()
    {
        if (_schedule is null) { return; }
        var now = Stopwatch.GetTimestamp();
        while (_free.Count > 0 && _schedule.Next <= now)
        {
            var index = _free.Pop();
            Issue(index);
            _slots[index].Since = _schedule.Take();
        }
    }

    private void End(int index)
    {
        ref var slot = ref _slots[index];
        slot.IsBusy = false;
        _waiting[slot.Socket]--;
        if (_schedule is null) { Issue(index); }
        else { _free.Push(index); }
    }

    // An open loop whose next request is due within a millisecond does not sleep, because the system rounds up.
    private int Pause()
    {
        if (_schedule is null || _free.Count == 0) { return LongestWait; }
        var wait = (_schedule.Next - Stopwatch.GetTimestamp()) * 1000 / Stopwatch.Frequency;
        return (int)Math.Clamp(wait, 0, LongestWait);
    }

    private void Flush(int socket)
    {
        while (_queue.First(socket) is >= 0 and var first)
        {
            var count = 0;
            for (var index = first; index >= 0 && count < DatagramBatch.Size; index = _slots[index].Next)
            {
                _sent.Set(count++, _slots.Start(index), _slots.Length);
            }
            var now = Stopwatch.GetTimestamp();
            var sent = _sent.Send(_sockets[socket], count);
            if (sent <= 0)
            {
                // The error of an earlier datagram, such as "port unreachable", is reported once and has no effect on the next attempt.
                if (sent < 0 && LinuxCalls.HasFailed) { _tally.Failed++; }
                return;
            }
            while (sent-- > 0) { MarkSent(socket, now); }
        }
    }

    private void MarkSent(int socket, long now)
    {
        ref var slot = ref _slots[_queue.First(socket)];
        _queue.RemoveFirst(socket);
        if (slot.SentAt != 0) { return; }
        (slot.SentAt, slot.Resends, slot.ResendWait, slot.ResendAt) = (now, 0, _ackTimeout, now + _ackTimeout);
        if (slot.Since == 0) { slot.Since = now; }
    }

    private void Read(int socket)
    {
        // No more than can come: asking for one more would cost the system a look into an empty queue.
        var count = _received.Receive(_sockets[socket], Math.Max(1, _waiting[socket]));
        if (count < 0 && LinuxCalls.HasFailed) { _tally.Failed++; }
        var now = Stopwatch.GetTimestamp();
        for (var index = 0; index < count; index++) { Take(socket, _received[index], now); }
    }

    private void Take(int socket, ReadOnlySpan<byte> datagram, long now)
    {
        const int Header = 4, Version = 1, MaxToken = 8;
        if (datagram.Length < Header || datagram[0] >> 6 != Version) { return; }
        var tokenLength = datagram[0] & 15;
        if (tokenLength > MaxToken || datagram.Length < Header + tokenLength) { return; }
        var (type, code, id) = ((MessageType)((datagram[0] >> 4) & 3), datagram[1], BinaryPrimitives.ReadUInt16BigEndian(datagram[2..]));
        if (code == 0)
        {
            TakeEmpty(socket, type, id);
            return;
        }
        if (type == MessageType.Confirmable) { Acknowledge(socket, id); }
        var index = _slots.Find(socket, datagram.Slice(Header, tokenLength));
        if (index < 0 || (type == MessageType.Acknowledgement && _slots[index].MessageId != id)) { return; }
        var latency = now - _slots[index].Since;
        _tally.Answered(new CoapCode(code), Stopwatch.Frequency == 1_000_000_000 ? latency : (long)(latency * (1e9 / Stopwatch.Frequency)));
        End(index);
    }

    private void TakeEmpty(int socket, MessageType type, ushort id)
    {
        if (type is not (MessageType.Acknowledgement or MessageType.Reset) || _slots.Find(socket, id) is not (>= 0 and var index)) { return; }
        if (type == MessageType.Acknowledgement) { _slots[index].IsAcknowledged = true; }
        else
        {
            _tally.Reset++;
            End(index);
        }
    }

    private void Acknowledge(int socket, ushort id)
    {
        const byte EmptyAcknowledgement = 0x60;
        _empty[0] = EmptyAcknowledgement;
        BinaryPrimitives.WriteUInt16BigEndian(_empty.AsSpan(2), id);
        _sockets[socket].Send(_empty, SocketFlags.None, out _);
    }

    private void Sweep(long now)
    {
        var timeout = Stamps(_settings.ResponseTimeout);
        for (var index = 0; index < _slots.Count; index++)
        {
            ref var slot = ref _slots[index];
            if (!slot.IsBusy || slot.SentAt == 0 || slot.IsQueued) { continue; }
            if (now - slot.SentAt > timeout)
            {
                _tally.TimedOut++;
                End(index);
            }
            else if (_settings.IsConfirmable && !slot.IsAcknowledged && now >= slot.ResendAt && slot.Resends < MaxRetransmit)
            {
                slot.Resends++;
                slot.ResendWait *= 2;
                slot.ResendAt = now + slot.ResendWait;
                _tally.Retransmitted++;
                _queue.Add(index);
            }
        }
    }
}
