-- verdict: AC
-- why: files that a splice writes at compile time must not reach the run
-- says: ok
-- never: left

{-# LANGUAGE TemplateHaskell #-}
import Control.Exception (IOException, try)
import Language.Haskell.TH.Syntax (lift, runIO)
import System.IO.Error (isDoesNotExistError)

attempt :: IO a -> IO (Either IOException a)
attempt = try

written :: Int
written = $(do
  done <- runIO (mapM (\f -> (try (writeFile f "table") :: IO (Either IOException ()))) ["/build/table", "/build/.program.txt", "/tmp/table"])
  lift (length [() | Right () <- done]))

main :: IO ()
main = do
  found <- mapM (attempt . readFile) ["/build/table", "/build/.program.txt", "/tmp/table"]
  putStrLn (if written > 0 && null [() | Right _ <- found] then "ok" else "left " ++ show written)
