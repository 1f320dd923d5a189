namespace CoAP.Benchmarks.Load;

/// <summary>The attackers, in a process that yields to the good clients. The question "NAME SECONDS" runs one.</summary>
internal sealed class AttackService(Target target) : IService
{
    private const int LeastPriority = 19;

    public IEnumerable<string> Addresses => [];

    public static Task<IService> StartAsync(ServiceValues values) => Task.FromResult<IService>(new AttackService(new Target(
        values, values.Number("flood"), values.Number("handshakes"), (int)values.Number("standing"))));

    public string Answer(string question)
    {
        var words = question.Split(' ');
        var run = Find(words[0]);
        var outcome = "";
        var thread = new Thread(() =>
        {
            _ = ProcessCalls.SetPriority(0, 0, LeastPriority);    // of this thread alone
            try { outcome = run(target, TimeSpan.FromSeconds(double.Parse(words[1], CultureInfo.InvariantCulture))); }
            catch (Exception failure) // The measurement reports it.
            {
                outcome = failure.Message;
            }
        });
        thread.Start();
        thread.Join();
        return outcome;
    }

    private static Func<Target, TimeSpan, string> Find(string name) => LedgerAttack.All.FirstOrDefault(one => one.Name == name) is { } ledger
        ? (target, time) => $"{ledger.Run(target, time)}"
        : (target, time) => $"{Attack.All.Single(one => one.Name == name).Run(target, time)}";

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
