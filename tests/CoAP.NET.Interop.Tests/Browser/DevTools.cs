using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace CoAP.Interop.Tests.Browser;

/// <summary>Chromium's DevTools protocol: calls with answers, and events, of the browser and of its tabs, over one WebSocket.</summary>
internal sealed class DevTools : IAsyncDisposable
{
    private const int ReadSize = 64 << 10;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ClientWebSocket _socket = new();
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonNode>> _calls = new();
    private readonly List<JsonNode> _events = [];
    private readonly List<(Func<JsonNode, bool> IsMet, TaskCompletionSource<JsonNode> Event)> _waits = [];
    private readonly SemaphoreSlim _sending = new(1);
    private readonly Lock _gate = new();
    private Task _reading = Task.CompletedTask;
    private Exception? _end;
    private int _last;

    private DevTools() => _socket.Options.Proxy = null;

    public static async Task<DevTools> ConnectAsync(Uri address)
    {
        var tools = new DevTools();
        await tools._socket.ConnectAsync(address, CancellationToken.None).WaitAsync(Patience);
        tools._reading = tools.ReadAsync();
        return tools;
    }

    /// <summary>Calls a method of the browser, or of a tab where its session is named.</summary>
    public async Task<JsonNode> CallAsync(string method, object? parameters = null, string? session = null)
    {
        var id = Interlocked.Increment(ref _last);
        var answer = _calls[id] = new(TaskCreationOptions.RunContinuationsAsynchronously);
        if (Volatile.Read(ref _end) is { } end) { throw new InvalidOperationException($"{method}: the browser has ended.", end); }
        var request = new JsonObject { ["id"] = id, ["method"] = method };
        request["params"] = JsonSerializer.SerializeToNode(parameters ?? new { });
        if (session is not null) { request["sessionId"] = session; }
        await SendAsync(JsonSerializer.SerializeToUtf8Bytes(request));
        var message = await answer.Task.WaitAsync(Patience);
        return message["result"] ?? throw new InvalidOperationException($"{method}: {message["error"]?.ToJsonString()}");
    }

    /// <summary>Waits for an event, also one that came before.</summary>
    public async Task EventAsync(Func<JsonNode, bool> isMet)
    {
        var happened = new TaskCompletionSource<JsonNode>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_events.Exists(one => isMet(one))) { return; }
            _waits.Add((isMet, happened));
        }
        await happened.Task.WaitAsync(Patience);
    }

    public async ValueTask DisposeAsync()
    {
        _socket.Abort();
        await _reading;
        _socket.Dispose();
        _sending.Dispose();
    }

    private async Task SendAsync(byte[] message)
    {
        await _sending.WaitAsync();
        try { await _socket.SendAsync(message, WebSocketMessageType.Text, true, CancellationToken.None).WaitAsync(Patience); }
        finally { _sending.Release(); }
    }

    private async Task ReadAsync()
    {
        try
        {
            while (await ReceiveAsync() is { } message) { Take(message); }
            End(new InvalidOperationException("The browser closed the connection."));
        }
        catch (Exception exception) when (exception is WebSocketException or OperationCanceledException)
        {
            End(exception);
        }
    }

    private async Task<JsonNode?> ReceiveAsync()
    {
        using var message = new MemoryStream();
        var buffer = new byte[ReadSize];
        while (true)
        {
            var result = await _socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None);
            if (result.MessageType == WebSocketMessageType.Close) { return null; }
            message.Write(buffer, 0, result.Count);
            if (result.EndOfMessage) { return JsonNode.Parse(message.GetBuffer().AsSpan(0, (int)message.Length)); }
        }
    }

    private void Take(JsonNode message)
    {
        if (message["id"] is { } id)
        {
            if (_calls.TryRemove((int)id, out var call)) { call.TrySetResult(message); }
            return;
        }
        lock (_gate)
        {
            _events.Add(message);
            foreach (var (_, happened) in _waits.Where(wait => wait.IsMet(message))) { happened.TrySetResult(message); }
        }
    }

    private void End(Exception reason)
    {
        Volatile.Write(ref _end, reason);
        foreach (var call in _calls.Values) { call.TrySetException(reason); }
        lock (_gate)
        {
            foreach (var (_, happened) in _waits) { happened.TrySetException(reason); }
        }
    }
}
