namespace CoAP.Benchmarks.Load;

/// <summary>Two honest peers that run the same errand at the same time and rate: one with the attacked server, one with an idle server as the control.</summary>
internal sealed class ComparedPeer(Errand errand, string attacked, string control, double rate) : IAsyncDisposable
{
    private const double Share = 0.99;

    private readonly HonestPeer _attacked = new(errand, attacked, rate), _control = new(errand, control, rate);

    /// <summary>The errands that the attacked server did not serve.</summary>
    public long Lost => _attacked.Lost;

    /// <summary>The 99th percentile of the attacked server minus that of the control.</summary>
    public double Above => _attacked.Milliseconds(Share) - _control.Milliseconds(Share);

    /// <summary>The errands served and lost, and those that the control lost if any.</summary>
    public string Counts => $"{_attacked.Served} / {_attacked.Lost}" + (_control.Lost > 0 ? $" ({_control.Lost})" : "");

    /// <summary>The 99th percentiles of the attacked server and of the control, and their difference.</summary>
    public string Times => _attacked.Served == 0 || _control.Served == 0 ? "-" : string.Create(
        CultureInfo.InvariantCulture, $"{_attacked.Milliseconds(Share):0.0} - {_control.Milliseconds(Share):0.0} = {Above:0.0}");

    public Task WarmUpAsync(TimeSpan time) => Task.WhenAll(_attacked.WarmUpAsync(time), _control.WarmUpAsync(time));

    public void Start()
    {
        _attacked.Start();
        _control.Start();
    }

    /// <summary>Counts errands that begin from now on.</summary>
    public void Count()
    {
        _attacked.Count();
        _control.Count();
    }

    /// <summary>Ends with the last errand.</summary>
    public Task StopAsync() => Task.WhenAll(_attacked.StopAsync(), _control.StopAsync());

    public async ValueTask DisposeAsync()
    {
        await _attacked.DisposeAsync();
        await _control.DisposeAsync();
    }
}
