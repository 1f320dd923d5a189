namespace CoAP.Benchmarks.Load;

/// <summary>The attackers, in a process that yields to the good clients. The question "NAME SECONDS" or "NAME,NAME SECONDS PACE" runs some at the same time.</summary>
internal sealed class AttackService(Target target) : IService
{
    private const int LeastPriority = 19;

    public IEnumerable<string> Addresses => [];

    public static Task<IService> StartAsync(ServiceValues values) => Task.FromResult<IService>(new AttackService(new Target(
        values, values.Number("flood"), values.Number("handshakes"), (int)values.Number("standing"))));

    public string Answer(string question)
    {
        var words = question.Split(' ');
        var time = TimeSpan.FromSeconds(double.Parse(words[1], CultureInfo.InvariantCulture));
        var aim = words.Length > 2 ? target with { Pace = Enum.Parse<Pace>(words[2]) } : target;
        var attacks = words[0].Split(',').Select(Find).Select(run => new Attacker(() => run(aim, time))).ToArray();
        foreach (var attack in attacks) { attack.Thread.Join(); }
        return attacks.Length == 1 ? attacks[0].Outcome : $"{Sent.Sum(attacks.Select(static attack => Sent.Parse(attack.Outcome)))}";
    }

    private static Func<Target, TimeSpan, string> Find(string name) => LedgerAttack.All.FirstOrDefault(one => one.Name == name) is { } ledger
        ? (target, time) => $"{ledger.Run(target, time)}"
        : (target, time) => $"{Attack.All.Single(one => one.Name == name).Run(target, time)}";

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private sealed class Attacker
    {
        public Attacker(Func<string> run)
        {
            Thread = new Thread(() =>
            {
                _ = ProcessCalls.SetPriority(0, 0, LeastPriority);    // of this thread alone
                try { Outcome = run(); }
                catch (Exception failure) // The measurement reports it.
                {
                    Outcome = failure.Message;
                }
            });
            Thread.Start();
        }

        public Thread Thread { get; }

        public string Outcome { get; private set; } = "";
    }
}
