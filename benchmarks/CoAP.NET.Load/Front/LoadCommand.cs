using System.Net.Sockets;

namespace CoAP.Load.Front;

/// <summary>One run against a server that is there.</summary>
internal static class LoadCommand
{
    public static int Run(string[] args)
    {
        if (!LoadArguments.TryParse(args, out var arguments, out var error))
        {
            Console.Error.WriteLine(error);
            Console.Error.WriteLine(LoadArguments.Usage);
            return 2;
        }

        if (arguments.Processor is { } processor && !Affinity.Pin(processor)) { Console.Error.WriteLine($"Processor {processor} could not be chosen."); }
        using var stop = new CancellationTokenSource();
        Interrupt.Cancels(stop);
        try
        {
            var result = LoadRun.Run(arguments.Settings, stop.Token);
            ResultText.Print(Console.Out, arguments.Uri, result);
            if (arguments.JsonFile is { } json) { ResultFiles.WriteJson(json, arguments.Uri, result); }
            if (arguments.CsvFile is { } csv) { ResultFiles.AddCsv(csv, arguments.Uri, result); }
            return result.Tally.Good > 0 ? 0 : 1;
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException or IOException)
        {
            Console.Error.WriteLine(problem.Message);
            return 2;
        }
    }
}
